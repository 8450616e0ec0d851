// Runs before the page's module, in ES5, so that every browser can run it and its name never changes. When the
// module, the style sheet or board mode does not come, this says so and reloads the page until they do: during an
// upgrade, one node may not know the files that another node's page names.
;(function () {
  var FIRST_WAIT_MS = 2000
  var LONGEST_WAIT_MS = 30000
  var TRIES_KEY = 'taps-start-tries'
  var MISSING = 'Part of the page did not arrive. Trying again...'
  var TOO_OLD = 'TAPS needs Chrome or Edge 117, Firefox 121, Safari 16.4, or later.'

  var timer = 0
  var hasFailed = false

  /** Tests features that came with the oldest supported Chrome, Firefox and Safari, in this order. */
  function isTooOld() {
    try {
      new RegExp('(?<!a)b')
      return !(CSS.supports('grid-template-rows', 'subgrid') && CSS.supports('selector(:has(a))'))
    } catch (_error) {
      return true
    }
  }

  function say(text) {
    var loading = document.querySelector('.loading')
    var line = document.createElement('p')
    line.setAttribute('role', 'status')
    line.textContent = text
    if (loading && !loading.querySelector('[role="status"]')) loading.appendChild(line)
  }

  /** Returns the next wait; without storage, always the longest. */
  function nextWaitMs() {
    try {
      var tries = Number(sessionStorage.getItem(TRIES_KEY))
      sessionStorage.setItem(TRIES_KEY, String(tries + 1))
      return Math.min(FIRST_WAIT_MS * Math.pow(2, tries), LONGEST_WAIT_MS)
    } catch (_error) {
      return LONGEST_WAIT_MS
    }
  }

  /** Reloads once the server answers, because a reload without an answer would end at the browser's own page. */
  function reload() {
    var request = new XMLHttpRequest()
    request.open('GET', location.pathname + location.search)
    request.timeout = LONGEST_WAIT_MS
    request.onload = function () {
      if (request.status === 200) location.reload()
    }
    // Also after an answer, in case the reload does not happen.
    request.onloadend = function () {
      timer = setTimeout(reload, nextWaitMs())
    }
    request.send()
  }

  function fail() {
    if (hasFailed) return
    hasFailed = true
    if (isTooOld()) return say(TOO_OLD)
    say(MISSING)
    timer = setTimeout(reload, nextWaitMs())
  }

  /** Leaves an address with a name and password, from which browsers fetch nothing. They keep both for the site. */
  function leaveCredentials() {
    hasFailed = true
    var path = location.pathname + location.search + location.hash
    location.replace(location.protocol + '//' + location.host + path)
  }

  function isOurs(url) {
    return String(url).indexOf(location.protocol + '//' + location.host + '/assets/') === 0
  }

  /** Returns whether a style sheet came without rules or, where browsers have no sheet then, not at all. */
  function hasNoRules(link) {
    try {
      return link.sheet
        ? link.sheet.cssRules.length === 0
        : performance.getEntriesByName(link.href).length > 0
    } catch (_error) {
      return false
    }
  }

  /** Receives errors of scripts and style sheets that do not load, and of scripts that throw. */
  function onError(event) {
    var element = event.target
    var isStyles = element && element.rel === 'stylesheet' && isOurs(element.href)
    if (isStyles || (element && isOurs(element.src)) || isOurs(event.filename)) fail()
  }

  window.addEventListener('error', onError, true)
  window.tapsStart = {
    /** Called by the module first. Returns false while a part of the page is missing. */
    begin: function () {
      if (hasFailed) return false
      window.removeEventListener('error', onError, true)
      return true
    },
    /** Ends all tries, because the page is complete. */
    done: function () {
      clearTimeout(timer)
      hasFailed = false
      try {
        sessionStorage.removeItem(TRIES_KEY)
      } catch (_error) {
        // Nothing was counted.
      }
    },
    fail: fail,
  }

  if (/^https?:\/\/[^/?#]*@/.test(document.baseURI)) return leaveCredentials()
  if (!('noModule' in HTMLScriptElement.prototype)) fail()
  // The error of a style sheet may have come before this script.
  var sheets = document.querySelectorAll('link[rel="stylesheet"]')
  for (var i = 0; i < sheets.length; i += 1) if (isOurs(sheets[i].href) && hasNoRules(sheets[i])) fail()
})()
