/** Sends the drafted call to this very service and shows the answer. */
import { codeBlock, prettyJson } from '../code-block.js'
import {
  authorizationHeader,
  onCredentialsChange,
  openCredentials,
  readCredentials,
} from './credentials.js'
import { announce, h, icon } from '../dom.js'
import { createRequestForm } from './request-form.js'
import { ownServerUrl, requestHeaders, requestPath } from './request.js'
import { sampleTabs } from '../samples/sample-tabs.js'

/**
 * @param {object} options
 * @param {import('../model.js').Model} options.model
 * @param {import('../model.js').Operation} options.operation
 * @param {import('../schema/variant-picker.js').Choices} options.choices
 * @param {AbortSignal} options.signal ends with the view
 */
export function tryIt({ model, operation, choices, signal }) {
  const samples = sampleTabs({ operation, serverUrl: model.serverUrl })
  const answer = h('div', { class: 'answer' })
  const form = createRequestForm({
    model,
    operation,
    choices,
    onChange: samples.update,
  })
  const send = h('button', { type: 'submit', class: 'button button-primary' }, 'Send request')
  const element = h(
    'form',
    { class: 'try-it', novalidate: true, 'aria-labelledby': 'try-it-title' },
    h(
      'div',
      { class: 'try-it-head' },
      h('h2', { id: 'try-it-title' }, 'Try it'),
      identity(operation, signal),
    ),
    form.element,
    h('div', { class: 'try-it-foot' }, send, h('span', { class: 'hint' }, 'Ctrl+Enter')),
  )
  const submit = async () => {
    if (send.disabled || !form.check()) return
    send.disabled = true
    answer.replaceChildren(h('p', { class: 'hint' }, 'Waiting for the answer…'))
    const view = await call({ model, operation, draft: form.draft, signal })
    send.disabled = false
    answer.replaceChildren(...view)
  }
  element.addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault()
    void submit()
  })
  element.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
  })
  return [samples.element, element, answer]
}

/**
 * Who the call will be made as, and the way to change it.
 * @param {import('../model.js').Operation} operation
 * @param {AbortSignal} signal
 */
function identity(operation, signal) {
  if (operation.access === 'none') return h('span', { class: 'hint' }, 'No credentials needed')
  const button = h('button', { type: 'button', class: 'identity', onclick: openCredentials })
  const show = () => {
    const { clientId, agentToken, operatorToken } = readCredentials()
    const who = {
      basic: clientId,
      agent: agentToken && 'an agent token',
      operator: operatorToken && 'an operator token',
    }[/** @type {'basic' | 'agent' | 'operator'} */ (operation.access)]
    button.replaceChildren(icon('key'), who ? `as ${who}` : 'Add credentials')
    button.classList.toggle('identity-missing', !who)
  }
  onCredentialsChange(show, signal)
  show()
  return button
}

/**
 * @param {{ model: import('../model.js').Model, operation: import('../model.js').Operation, draft: import('./request.js').Draft, signal: AbortSignal }} options
 */
async function call({ model, operation, draft, signal }) {
  const start = performance.now()
  try {
    const response = await fetch(
      `${ownServerUrl(model.serverUrl)}${requestPath(operation, draft)}`,
      {
        ...fetchOptions(operation, draft),
        signal,
      },
    )
    const bytes = await response.arrayBuffer()
    return answerView({ model, response, bytes, elapsedMs: Math.round(performance.now() - start) })
  } catch (error) {
    const reason = /** @type {Error} */ (error).message
    announce('The request could not be sent')
    return [
      h('div', { class: 'answer-head' }, h('span', { class: 'status status-error' }, 'No answer')),
      h('p', { class: 'problem' }, `The request could not be sent: ${reason}.`),
    ]
  }
}

/**
 * @param {import('../model.js').Operation} operation
 * @param {import('./request.js').Draft} draft
 * @returns {RequestInit}
 */
function fetchOptions(operation, draft) {
  const headers = new Headers(requestHeaders(operation, draft))
  const authorization = authorizationHeader(operation.access)
  if (authorization) headers.set('Authorization', authorization)
  // Without `omit` a 401 would make the browser ask for a password of its own.
  /** @type {RequestInit} */
  const options = { method: operation.method, headers, credentials: 'omit', cache: 'no-store' }
  if (operation.body?.mediaType === 'multipart/form-data') {
    const data = new FormData()
    for (const [name, value] of draft.parts) data.append(name, value)
    return { ...options, body: data }
  }
  if (!operation.body || !draft.bodyText.trim()) return options
  headers.set('Content-Type', operation.body.mediaType)
  return { ...options, body: draft.bodyText }
}

/**
 * @param {{ model: import('../model.js').Model, response: Response, bytes: ArrayBuffer, elapsedMs: number }} options
 */
function answerView({ model, response, bytes, elapsedMs }) {
  const words = [response.status, response.statusText].filter(Boolean).join(' ')
  announce(`Answer ${words} after ${elapsedMs} milliseconds`)
  const kind = response.ok ? 'status-ok' : 'status-error'
  const head = h(
    'div',
    { class: 'answer-head' },
    h('h2', { class: 'visually-hidden' }, 'Answer'),
    h('span', { class: `status ${kind}` }, words),
    h('span', { class: 'hint' }, `${elapsedMs} ms`),
    h('span', { class: 'hint' }, sizeWords(bytes.byteLength)),
  )
  const headers = h(
    'details',
    { class: 'answer-headers' },
    h('summary', {}, `${[...response.headers].length} headers`),
    h(
      'dl',
      {},
      [...response.headers].map(([name, value]) =>
        h('div', {}, h('dt', {}, name), h('dd', {}, value)),
      ),
    ),
  )
  return [head, ...bodyView({ model, response, bytes }), headers]
}

/**
 * @param {{ model: import('../model.js').Model, response: Response, bytes: ArrayBuffer }} options
 */
function bodyView({ model, response, bytes }) {
  const type = response.headers.get('content-type') ?? ''
  if (bytes.byteLength === 0) return [h('p', { class: 'hint' }, 'The answer has no body.')]
  if (!/json|text|xml|csv/.test(type)) return [download(bytes, type)]
  const text = new TextDecoder().decode(bytes)
  const value = parsed(text)
  if (value === undefined) {
    return [codeBlock({ title: type, text, what: 'the answer' }).element]
  }
  const block = codeBlock({
    title: 'Answer',
    text: prettyJson(value),
    language: 'json',
    what: 'the answer',
  })
  const entry = model.errorByCode.get(value?.code)
  if (!entry) return [block.element]
  const link = h('a', { href: `#errors/${entry.code}` }, `What ${entry.code} means`)
  return [block.element, h('p', { class: 'hint' }, link)]
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * @param {ArrayBuffer} bytes
 * @param {string} type
 */
function download(bytes, type) {
  const href = URL.createObjectURL(new Blob([bytes], { type }))
  const link = h('a', { href, download: 'answer' }, `Save the file (${type || 'unknown type'})`)
  return h('p', { class: 'hint' }, link)
}

/** @param {number} bytes */
const sizeWords = (bytes) => (bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KiB`)
