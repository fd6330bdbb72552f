package subject

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestURLs(t *testing.T) {
	r := on(t, "linux")
	for raw, want := range map[string]string{
		"https://a.test":                       "url @a.test https://a.test/",
		"file://LocalHost":                     "url file:///; path … | any:… /LocalHost /srv/proj/LocalHost ./LocalHost / /srv/proj/file:/LocalHost ./file:/LocalHost",
		"file://HOST/":                         "url @host file://host/; path … | any:… /HOST /srv/proj/HOST ./HOST / /srv/proj/file:/HOST ./file:/HOST",
		"HTTPS://A.Test/B":                     "url @a.test https://a.test/B",
		"https://a.test:443/":                  "url @a.test https://a.test/",
		"https://a.test:0443/":                 "url @a.test https://a.test/",
		"https://a.test:/":                     "url @a.test https://a.test/",
		"http://a.test:80/":                    "url @a.test http://a.test/",
		"http://a.test:443/":                   "url @a.test http://a.test:443/",
		"http://a.test:08080/":                 "url @a.test http://a.test:8080/",
		"ws://a.test:80/":                      "url @a.test ws://a.test/",
		"ftp://a.test:21/":                     "url @a.test ftp://a.test/",
		"gopher://a.test:0/":                   "url @a.test gopher://a.test:0/",
		"https://a.test:99999999999999999999/": "url @a.test https://a.test:99999999999999999999/",
		"https://u:p@a.test/":                  "url @a.test https://a.test/",
		"https://u:p@x@a.test/":                "url @a.test https://a.test/",
		"https://a.test@b.test/":               "url @b.test https://b.test/",
		"https://b.test#@a.test/":              "url @b.test https://b.test/",
		"https://b.test?@a.test/":              "url @b.test https://b.test/?@a.test/ | https://b.test/",
		"https://a.test/#x":                    "url @a.test https://a.test/",
		"https://a.test./x":                    "url @a.test https://a.test/x",
		"https://a.test.:443/x":                "url @a.test https://a.test/x",
		"https://[::1]:443/x":                  "url @[::1] https://[::1]/x",
		"https://a_b-c.test/":                  "url @a_b-c.test https://a_b-c.test/",
		"https://a.test/%61%2D%7e":             "url @a.test https://a.test/a-~",
		"https://a.test/a/./b/../c":            "url @a.test https://a.test/a/c",
		"https://a.test/%2e%2E/a/%2e":          "url @a.test https://a.test/a/",
		"https://a.test/a/..":                  "url @a.test https://a.test/",
		"https://a.test/../../a":               "url @a.test https://a.test/a",
		"https://a.test/a b":                   "url @a.test https://a.test/a%20b",
		"https://a.test/a%20b":                 "url @a.test https://a.test/a%20b",
		"https://a.test/a|b":                   "url @a.test https://a.test/a|b",
		"https://a.test/a%7cb":                 "url @a.test https://a.test/a|b",
		"https://a.test/é":                     "url @a.test https://a.test/é",
		"https://a.test/%c3%A9":                "url @a.test https://a.test/é",
		"https://a.test/%c3%28":                "url @a.test https://a.test/%C3%28 | https://a.test/%C3(",
		"https://a.test/\u2028x":               "url @a.test https://a.test/%E2%80%A8x",
		"https://a.test/%e2%80%a8x":            "url @a.test https://a.test/%E2%80%A8x",
		"https://a.test/%00":                   "url @a.test https://a.test/%00",
		"https://a.test/a%3Fb%23":              "url @a.test https://a.test/a%3Fb%23",
		"https://a.test/x?":                    "url @a.test https://a.test/x? | https://a.test/x",
		"https://a.test/x?b=%61 c&d=%zz|%":     "url @a.test https://a.test/x?b=a%20c&d=%zz|% | https://a.test/x",
		"https://a.test/x?u=/../y":             "url @a.test https://a.test/x?u=/../y | https://a.test/x",
		"file:///a/../b":                       "url file:///b; path /b | /srv/proj/file:/b ./file:/b",
		"file://localhost/b":                   "url file:///b; path /b | /srv/proj/file:/localhost/b ./file:/localhost/b",
		"file:/b":                              "url file:///b; path /b | /srv/proj/file:/b ./file:/b",

		// What a server may make of it is for refusals.
		"https://a.test/%40x":         "url @a.test https://a.test/%40x | https://a.test/@x",
		"https://a.test//x":           "url @a.test https://a.test//x | https://a.test/x",
		"https://a.test/a//../x":      "url @a.test https://a.test/… | https://a.test/a/x https://a.test/x",
		"https://a.test/a//%2e%2e/x":  "url @a.test https://a.test/… | https://a.test/a/x https://a.test/x",
		"https://a.test/a/;b/../x":    "url @a.test https://a.test/… | https://a.test/a/x https://a.test/x",
		"https://a.test/a/.;b/../x":   "url @a.test https://a.test/… | https://a.test/a/x https://a.test/x",
		"https://a.test/a%2fb/../x":   "url @a.test https://a.test/… | https://a.test/x https://a.test/a%2Fb/../x https://a.test/a/x",
		"https://a.test/a//b/../x":    "url @a.test https://a.test/a//x | https://a.test/a/x",
		"https://a.test/a;b/x;c":      "url @a.test https://a.test/a;b/x;c | https://a.test/a/x",
		"http://[::ffff:10.0.0.1]/x":  "url @[::ffff:10.0.0.1] http://[::ffff:10.0.0.1]/x | @10.0.0.1 http://10.0.0.1/x",
		"https://a.test/a%2fb":        "url @a.test https://a.test/a…b | https://a.test/a%2Fb https://a.test/a/b",
		"https://a.test/a%5cb":        "url @a.test https://a.test/a…b | https://a.test/a%5Cb https://a.test/a/b",
		"https://a.test/a%2561":       "url @a.test https://a.test/a…61 | https://a.test/a%2561 https://a.test/a%61 https://a.test/aa",
		"https://a.test/a%2f..%2fx?q": "url @a.test https://a.test/…?q | https://a.test/… https://a.test/a%2F..%2Fx?q https://a.test/a%2F..%2Fx https://a.test/x?q https://a.test/x",

		// A host outside ASCII may be any.
		"https://bücher.test/a":    "url @… https://…/a",
		"https://\u212aite.test/":  "url @… https://…/",
		"https://g\u0130thub.com/": "url @… https://…/",
		"https://a\u3002test:8/":   "url @… https://…:8/",
		"https://a%E2%84%AA.test/": "url @… https://…/",
		"https://*.test/":          "url @… https://…/",
		"https://a,b/":             "url @… https://…/",
		"https://[fe80::1%25en0]/": "url @… https://…/",
		"https://a.test../":        "url @… https://…/",
		"https://a..test/":         "url @… https://…/",
		"a://..":                   "url @… a://…/",
	} {
		ss, err := r.Subjects(URL, raw, "")
		require.NoError(t, err, raw)
		assert.Equal(t, want, show(ss), raw)
	}
}

func TestMalformedURLs(t *testing.T) {
	for raw, want := range map[string]string{
		"":                          "without a scheme and a host",
		"a.test/x":                  "without a scheme and a host",
		"//a.test/x":                "without a scheme and a host",
		"/x":                        "without a scheme and a host",
		"https:":                    "without a scheme and a host",
		"https:a.test":              "without a scheme and a host",
		"https:/a.test/":            "without a scheme and a host",
		"https:///a.test/":          "without a scheme and a host",
		"https://":                  "without a scheme and a host",
		"https://./":                "without a scheme and a host",
		"https://:443/":             "without a scheme and a host",
		"https://u@/":               "without a scheme and a host",
		"mailto:a@b.test":           "without a scheme and a host",
		"javascript:alert(1)":       "without a scheme and a host",
		"data:text/plain,x":         "without a scheme and a host",
		"file:x":                    "without a scheme and a host",
		"file:":                     "without a scheme and a host",
		"file://":                   "without a scheme and a host",
		" https://a.test/":          "a blank before or after",
		"https://a.test/ ":          "a blank before or after",
		"https://a.test/\u00a0":     "a blank before or after",
		"https://a.te\nst/":         "control character",
		"https://a.test/\t":         "control character",
		"\x00https://a.test/":       "control character",
		"https://a.test/\u0085":     "control character",
		"https://a.test\\@b.test/":  `a URL with a "\"`,
		"https:\\\\a.test/":         `a URL with a "\"`,
		"https://a.test/%zz":        "cannot be parsed",
		"https://a.test/%":          "cannot be parsed",
		"https://a.test/%4":         "cannot be parsed",
		"https://a%61.test/":        "cannot be parsed",
		"https://a.test%2F@b.test/": "",
		"https://a b/":              "cannot be parsed",
		"https://a.test:x/":         "cannot be parsed",
		"https://a.test:80:80/":     "cannot be parsed",
		"a://::/":                   "cannot be parsed",
		"https://::1/":              "cannot be parsed",
		"https://[:]/":              "cannot be parsed",
		"https://[::1/":             "cannot be parsed",
		"1https://a.test/":          "cannot be parsed",
		"://a.test/":                "cannot be parsed",
		"\ufeffhttps://a.test/":     "cannot be parsed",
	} {
		_, err := urlSubject(raw)
		if want == "" {
			assert.NoError(t, err, raw)
			continue
		}
		assert.ErrorContains(t, err, want, "%q", raw)
	}
	_, err := on(t, "linux").Subjects(URL, "https://a.test/\xff", "")
	assert.ErrorContains(t, err, "UTF-8")
}

func TestURLPatterns(t *testing.T) {
	r := on(t, "linux")
	for _, c := range []struct {
		pattern, url string
		deny, allow  bool
	}{
		{"https://a.test/*", "https://a.test", true, true},
		{"https://a.test/*", "https://a.test.evil.test/", false, false},
		{"https://a.test/*", "https://a.test@evil.test/", false, false},
		{"https://a.test/*", "https://evil.test/https://a.test/", false, false},
		{"https://a.test/*", "https://a.test:8443/", false, false},
		{"https://a.test/*", "http://a.test/", false, false},
		{"https://a.test/b/*", "https://a.test/b", true, true},
		{"https://a.test/b/*", "https://a.test/bc", false, false},
		{"https://a.test/b/*", "https://a.test/b/../c", false, false},
		{"https://a.test/b", "https://a.test/b?q", true, false},
		{"https://a.test/b?q", "https://a.test/b?q", true, true},
		{"https://a.test/b*", "https://a.test/b?q", true, true},
		{"https://a.test/**/x", "https://a.test/x", true, true},

		// At the host a refusal is for all of it, a permission for its root.
		{"https://a.test", "https://a.test/b?q", true, false},
		{"https://a.test", "https://a.test", true, true},
		{"https://a.test/", "https://a.test/b", false, false},

		// Scheme, host and path are matched apart.
		{"https://*.a.test/*", "https://b.a.test/x", true, true},
		{"https://*.a.test/*", "https://a.test/x", false, false},
		{"https://*.a.test/*", "https://ba.test/x", false, false},
		{"https://*.a.test/*", "https://evil.test/b.a.test/x", false, false},
		{"https://*a.test/*", "https://evil.test/?a.test/x", false, false},
		{"*://a.test/*", "ftp://a.test/x", true, true},
		{"*://a.test/*", "https://evil.test/x://a.test/y", false, false},
		{"http*://a.test/*", "https://a.test/x", true, true},
		{"http{,s}://a.test/*", "http://a.test/x", true, true},
		{"*://*/*", "https://a.test:8/x", true, true},
		{"https://a.test:*/x", "https://a.test:8/x", true, true},
		{"https://a?b/*", "https://a/b/", false, false},

		// Spellings of a pattern.
		{"HTTPS://A.Test/B", "https://a.test/B", true, true},
		{"https://a.test/B", "https://a.test/b", false, false},
		{"https://a.test:443/*", "https://a.test/x", true, true},
		{"https://a.test:0443", "https://a.test/x", true, false},
		{"https://a.test:/*", "https://a.test/x", true, true},
		{"http://a.test:443/*", "http://a.test:443/x", true, true},
		{"http://a.test:08080/*", "http://a.test:8080/x", true, true},
		{"https://a.test./*", "https://a.test/x", true, true},
		{"https://a.test.:443/*", "https://a.test/x", true, true},
		{"https://*:443/*", "https://a.test/x", true, true},
		{"https://a.test/%7Ex", "https://a.test/~x", true, true},
		{"https://a.test/%c3%a9*", "https://a.test/é", true, true},
		{"https://a.test/é", "https://a.test/%C3%A9", true, true},
		{"https://a.test/a b", "https://a.test/a%20b", true, true},
		{"https://a.test/a%20b", "https://a.test/a b", true, true},
		{"https://a.test/a|b", "https://a.test/a%7Cb", true, true},
		{"https://a.test/a%7cb", "https://a.test/a|b", true, true},
		{"https://a.test/{a}", "https://a.test/%7Ba%7D", true, true},
		{"https://a.test/%2a", "https://a.test/x", false, false},
		{"https://a.test/%2a", "https://a.test/%2A", true, true},
		{"https://a.test/[%]41", "https://a.test/A", false, false},
		{"https://a.test/%4", "https://a.test/x", false, false},
		{"https://a.test/[id]", "https://a.test/[id]", true, false},
		{"file:///etc/*", "file://localhost/etc/x", true, true},
		{"file://localhost/etc/*", "file:/etc/x", true, true},
		{"file:*", "FILE:///etc/x", true, true},

		// The host alone, at any port.
		{"domain:a.test", "https://A.test:8/x", true, true},
		{"domain:A.test.", "http://a.test/x", true, true},
		{"domain:*.a.test", "https://b.a.test/x", true, true},
		{"domain:*.a.test", "https://a.test/", false, false},
		{"domain:*.a.test", "https://evil.test/b.a.test", false, false},
		{"domain:*", "file:///etc/x", false, false},
		{"domain:*", "https://bücher.test/", true, true},
		{"domain:github.com", "https://g\u0130thub.com/", false, false},
		{"https://github.com/*", "https://g\u0130thub.com/x", false, false},

		// Without a scheme a pattern is for the whole of the text.
		{"*a.test*", "https://evil.test/?a.test", true, true},
		{"*", "https://a.test/", true, true},
		{"**", "file:///x", true, true},
		{"a.test/*", "https://a.test/x", false, false},

		// What a server may make of a path is refused, and not allowed.
		{"https://a.test/admin", "https://a.test/x%2F..%2Fadmin", true, false},
		{"https://a.test/admin", "https://a.test/x/%2e%2e%2Fadmin?q", true, false},
		{"https://a.test/admin", "https://a.test//admin", true, false},
		{"https://a.test/admin", "https://a.test/x%5C..%5Cadmin", true, false},
		{"https://a.test/admin", "https://a.test/%2561dmin", true, false},
		{"https://a.test/admin", "https://a.test/%25252561dmin", false, false},
		{"https://a.test/@admin", "https://a.test/%40admin", true, false},
		{"https://a.test/a%2fb", "https://a.test/a%2Fb", true, false},
		{"https://a.test/pub/*", "https://a.test/pub/..%2f..%2fadmin", true, false},
		{"https://a.test/pub/*", "https://a.test/pub/%2e%2e%5cadmin", true, false},
		{"https://a.test/pub/*", "https://a.test/pub/%252e%252e/admin", true, false},
		{"https://a.test/pub/*", "https://a.test/pub/..;/admin", true, false},
		{"https://a.test/pub/*", "https://a.test/pub/..;a=b/admin", true, false},
		{"https://a.test/admin", "https://a.test/pub/..;a=b/admin", true, false},
		{"https://a.test/pub/*", "https://a.test/pub/a%2fb", true, true},
		{"https://a.test/pub/*", "https://a.test/pub/a..%2fb;c", true, true},
		{"https://a.test/*", "https://a.test/pub/..%2f..%2fadmin", true, true},
		{"https://a.test/pub/x", "https://a.test/pub%2fx", true, false},
		{"https://a.test/*", "https://a.test/a%2Fb", true, true},
	} {
		ss, err := r.Subjects(URL, c.url, "")
		require.NoError(t, err)
		ss = ss[:1]
		must, _ := match(t, r, false, URL, c.pattern, ss)
		assert.Equal(t, c.deny, must, "deny %+v: %s", c, show(ss))
		must, _ = match(t, r, true, URL, c.pattern, ss)
		assert.Equal(t, c.allow, must, "allow %+v: %s", c, show(ss))
	}
}

// A host that may be any is in doubt for every refusal of one.
func TestForeignHosts(t *testing.T) {
	r := on(t, "linux")
	for _, raw := range []string{"https://\u212aite.test/x", "https://kite\u3002test/x", "https://kite%E3%80%82test/x"} {
		ss, err := r.Subjects(URL, raw, "")
		require.NoError(t, err)
		for _, pattern := range []string{"https://kite.test/*", "domain:kite.test", "https://kite.test"} {
			must, may := match(t, r, false, URL, pattern, ss)
			assert.False(t, must, "%s %s", pattern, raw)
			assert.True(t, may, "%s %s", pattern, raw)
		}
		_, may := match(t, r, false, URL, "https://kite.test/y", ss)
		assert.False(t, may, raw)
	}
}
