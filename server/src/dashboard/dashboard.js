/** What is more comfortable with script. Everything works without. */

document.documentElement.classList.add('scripted')

/** The section that is open is in sight. Scrolling by itself leaves alone where the keyboard starts. */
const open = document.querySelector('.side [aria-current]')?.getBoundingClientRect()
for (const box of open ? document.querySelectorAll('.side, .side ul') : []) {
  const { left, top, width, height } = box.getBoundingClientRect()
  box.scrollBy(
    open.left - left - (width - open.width) / 2,
    open.top - top - (height - open.height) / 2,
  )
}

/** Times as the reader's clock has them; the server writes UTC, and the exact instant stays behind each. */
const DAY_AND_TIME = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' })
const ZONE = new Intl.DateTimeFormat('en', { timeZoneName: 'short' })
function showLocalTimes(root) {
  for (const time of root.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime)
    if (Number.isNaN(at.getTime())) continue
    const zone = ZONE.formatToParts(at).find(({ type }) => type === 'timeZoneName').value
    const [day, clock] = DAY_AND_TIME.format(at).split(' ')
    const [shownDay, shownClock] = time.children
    shownDay.textContent = day
    shownClock.textContent = `${clock} ${zone}`
  }
}
showLocalTimes(document)

/** A choice shows its list at once. With the keyboard each arrow is a choice, so there the button stays, and Enter does it. */
for (const select of document.querySelectorAll('select[data-submit]')) {
  let isByKey = false
  const { form } = select
  select.addEventListener('pointerdown', () => (isByKey = false))
  select.addEventListener('keydown', ({ key }) => {
    isByKey = true
    if (key === 'Enter') form.requestSubmit()
  })
  select.addEventListener('change', () => {
    if (isByKey) form.classList.add('by-key')
    else form.requestSubmit()
  })
}

/** A second click does not send a form again: what it shows once would be lost. One that was stopped may be sent later. */
const SENDING_MS = 30_000
const sending = new Map()
document.addEventListener('submit', (event) => {
  const { target: form } = event
  if (form.method !== 'post') return
  if (Date.now() - (sending.get(form) ?? 0) < SENDING_MS) return event.preventDefault()
  sending.set(form, Date.now())
  event.submitter?.setAttribute('aria-disabled', 'true')
})
addEventListener('pageshow', () => {
  sending.clear()
  for (const button of document.querySelectorAll('button[aria-disabled]')) {
    button.removeAttribute('aria-disabled')
  }
})

/** Further parts of a form stay out of sight until they are wanted. */
for (const group of document.querySelectorAll('[data-more]')) {
  const parts = [...group.querySelectorAll('fieldset')]
  const isFilled = (part) => [...part.querySelectorAll('select, input')].some(({ value }) => value)
  const hidden = parts.slice(1).filter((part) => !isFilled(part))
  for (const part of hidden) part.hidden = true
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'quiet'
  button.textContent = group.dataset.more
  button.addEventListener('click', () => {
    const next = hidden.shift()
    if (!next) return
    next.hidden = false
    next.querySelector('select, input').focus()
    button.hidden = hidden.length === 0
  })
  group.append(button)
}

/** Ids can be copied whole; the browser allows that on this machine and over HTTPS. */
const WHOLE_ID = /(^|[:/])[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
function addCopyButtons(root) {
  for (const code of navigator.clipboard ? root.querySelectorAll('code') : []) {
    const id = code.title || code.textContent
    if (!WHOLE_ID.test(id) || id.length > 100) continue
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.setAttribute('aria-label', `Copy ${id}`)
    const say = (text) => () => (button.textContent = text)
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(id).then(say('Copied'), say('Not allowed'))
      setTimeout(say('Copy'), 2000)
    })
    ;(code.closest('a') ?? code).after(button)
  }
}
addCopyButtons(document)

/** Where the keyboard is in a list: the row, by what it links to first, and which of its links and buttons. */
const partsOf = (row) => [...row.querySelectorAll('a, button')]
const nameOfRow = (row) => row.querySelector('a')?.getAttribute('href')
function placeIn(list) {
  const { activeElement } = document
  if (!list.contains(activeElement)) return undefined
  const row = activeElement.closest('tr')
  return row
    ? { name: nameOfRow(row), at: partsOf(row).indexOf(activeElement) }
    : { name: activeElement.getAttribute('href') }
}
/** A row that is gone leaves the keyboard in the list. */
function findPlace(list, { name, at }) {
  if (at === undefined) return list.querySelector(`a[href="${CSS.escape(name)}"]`) ?? list
  const row = [...list.querySelectorAll('tbody tr')].find((one) => nameOfRow(one) === name)
  return (row && partsOf(row)[at]) ?? list
}

/** A list that is open shows what is new. Rows in which the reader has marked a text wait until it is let go. */
function follow(list, state) {
  let source
  let waiting
  const show = (rows) => {
    const place = placeIn(list)
    list.innerHTML = rows
    showLocalTimes(list)
    addCopyButtons(list)
    if (place) findPlace(list, place).focus()
  }
  const showWaiting = () => {
    const selection = getSelection()
    const isMarked = !selection.isCollapsed && list.contains(selection.anchorNode)
    if (waiting === undefined || isMarked) return
    show(waiting)
    waiting = undefined
  }
  const open = () => {
    source = new EventSource(list.dataset.live)
    source.addEventListener('open', () => (state.textContent = 'Live'))
    source.addEventListener('error', () => (state.textContent = 'Not live at the moment'))
    source.addEventListener('message', ({ data }) => {
      waiting = JSON.parse(data)
      showWaiting()
    })
  }
  document.addEventListener('selectionchange', showWaiting)
  // A browser has few connections to one host: a tab that nobody sees lets go of its own.
  document.addEventListener('visibilitychange', () => (document.hidden ? source?.close() : open()))
  if (!document.hidden) open()
}
for (const list of document.querySelectorAll('[data-live]')) {
  follow(list, document.querySelector('[data-live-state]'))
}

const rowLinks = () =>
  [...document.querySelectorAll('tbody tr')]
    .map((row) => row.querySelector('a'))
    .filter((link) => link !== null)

function step(by) {
  const rows = rowLinks()
  const at = rows.indexOf(document.activeElement)
  const next = at === -1 ? (by > 0 ? 0 : rows.length - 1) : at + by
  rows[next]?.focus()
}

const KEYS = {
  l: () => document.querySelector('#look-up')?.focus(),
  j: () => step(1),
  k: () => step(-1),
  '/': () => document.querySelector('.filters :is(select, input:not([type=hidden]))')?.focus(),
  a: () => document.querySelector('aside.doings summary')?.focus(),
  u: () => document.querySelector('.back a')?.click(),
}

/** From the field down to what was found. */
document.querySelector('#look-up')?.addEventListener('keydown', (event) => {
  const [first] = rowLinks()
  if (event.key !== 'ArrowDown' || !first) return
  event.preventDefault()
  first.focus()
})

document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, select, textarea')
  const does = KEYS[event.key]
  if (!does || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  does()
})
