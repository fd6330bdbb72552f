// Package approve has ready approvers for a [permission.Hook]: Broker for
// interfaces that answer later, such as an editor, a web page or another
// process, and Terminal for a person at the controlling terminal.
package approve
