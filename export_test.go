package permission

// Sessions returns how many sessions h holds anything of.
func (h *Hook) Sessions() int {
	h.sessions.mu.Lock()
	defer h.sessions.mu.Unlock()
	return len(h.sessions.all)
}
