/** Credentials for try-it: kept in this tab's session storage only, gone when the tab is closed. */
import { announce, h } from '../dom.js'

const STORAGE_KEY = 'florin-docs-credentials'
const changes = new EventTarget()

/** @typedef {{ clientId: string, clientSecret: string, agentToken: string, operatorToken: string }} Credentials */

/** @returns {Credentials} */
export function readCredentials() {
  const none = { clientId: '', clientSecret: '', agentToken: '', operatorToken: '' }
  try {
    return { ...none, ...JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}') }
  } catch {
    return none
  }
}

/** @param {Credentials | undefined} credentials undefined forgets them */
function writeCredentials(credentials) {
  if (credentials) sessionStorage.setItem(STORAGE_KEY, JSON.stringify(credentials))
  else sessionStorage.removeItem(STORAGE_KEY)
  changes.dispatchEvent(new Event('change'))
}

/**
 * @param {() => void} listener
 * @param {AbortSignal} [signal]
 */
export function onCredentialsChange(listener, signal) {
  changes.addEventListener('change', listener, signal ? { signal } : {})
}

/**
 * @param {import('../model.js').Operation['access']} access
 * @returns {string | undefined}
 */
export function authorizationHeader(access) {
  const { clientId, clientSecret, agentToken, operatorToken } = readCredentials()
  if (access === 'operator') return operatorToken ? `Bearer ${operatorToken}` : undefined
  if (access === 'agent') return agentToken ? `Bearer ${agentToken}` : undefined
  if (access === 'none' || !clientId) return undefined
  const bytes = new TextEncoder().encode(`${clientId}:${clientSecret}`)
  return `Basic ${btoa(String.fromCharCode(...bytes))}`
}

/** Wires the dialog that index.html holds. */
export function setUpCredentials() {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('credentials'))
  const form = /** @type {HTMLFormElement} */ (dialog.querySelector('form'))
  const field = (/** @type {string} */ name) =>
    /** @type {HTMLInputElement} */ (form.elements.namedItem(name))
  const close = () => dialog.close()

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    writeCredentials({
      clientId: field('clientId').value.trim(),
      clientSecret: field('clientSecret').value.trim(),
      agentToken: field('agentToken').value.trim(),
      operatorToken: field('operatorToken').value.trim(),
    })
    announce('Credentials kept for this tab')
    close()
  })
  dialog.querySelector('[data-action=cancel]')?.addEventListener('click', close)
  dialog.querySelector('[data-action=forget]')?.addEventListener('click', () => {
    form.reset()
    writeCredentials(undefined)
    announce('Credentials forgotten')
    close()
  })
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) close()
  })
  document.getElementById('open-credentials')?.addEventListener('click', openCredentials)
  onCredentialsChange(showState)
  showState()
}

/**
 * Only what the description has a use for is asked for.
 * @param {import('../model.js').Operation[]} operations
 */
export function askForUsed(operations) {
  const used = new Set(operations.map(({ access }) => access))
  for (const group of document.querySelectorAll('#credentials [data-access]')) {
    const access = /** @type {HTMLElement} */ (group).dataset['access']
    group.toggleAttribute('hidden', ![...used].some((one) => one === access))
  }
}

export function openCredentials() {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('credentials'))
  for (const [name, value] of Object.entries(readCredentials())) {
    const input = /** @type {HTMLInputElement | null} */ (dialog.querySelector(`[name=${name}]`))
    if (input) input.value = value
  }
  dialog.showModal()
}

function showState() {
  const { clientId, agentToken, operatorToken } = readCredentials()
  const state = document.getElementById('credentials-state')
  const isSet = Boolean(clientId || agentToken || operatorToken)
  state?.replaceChildren(h('span', { class: isSet ? 'dot dot-on' : 'dot' }), 'Credentials')
  document
    .getElementById('open-credentials')
    ?.setAttribute('aria-label', isSet ? 'Credentials (set)' : 'Credentials (not set)')
}
