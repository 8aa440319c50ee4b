/** One operation: what it takes, what it answers, how it refuses, and a place to try it. */
import { codeBlock, prettyJson } from '../code-block.js'
import { copyButton, h, icon, methodBadge, pathText } from '../dom.js'
import { createExample } from '../schema/example.js'
import { inline, markdown } from '../markdown.js'
import { neighbours } from './neighbours.js'
import { fieldRow, schemaTree, toggleAll } from '../schema/schema-tree.js'
import { tryIt } from '../try-it/try-it.js'
import { createChoices } from '../schema/variant-picker.js'

const PLACE_TITLES = /** @type {const} */ ([
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
])

/**
 * @typedef {{ model: import('../model.js').Model, operation: import('../model.js').Operation, signal: AbortSignal }} ViewOptions
 * @param {ViewOptions} options
 */
export function operationView({ model, operation, signal }) {
  const choices = createChoices()
  const reference = h(
    'div',
    { class: 'reference' },
    heading(model, operation),
    markdown(operation.description),
    parameters(model, operation),
    requestBody(model, operation, choices),
    responses(model, operation),
    errorCodes(model, operation),
  )
  const workbench = h(
    'div',
    { class: 'workbench' },
    tryIt({ model, operation, choices, signal }),
    exampleAnswer(model, operation),
  )
  return [h('div', { class: 'columns' }, reference, workbench), otherOperations(model, operation)]
}

/**
 * @param {import('../model.js').Model} model
 * @param {import('../model.js').Operation} operation
 */
function heading(model, operation) {
  const address = `${model.serverUrl.replace(/\/$/, '')}${operation.path}`
  return h(
    'header',
    { class: 'view-head' },
    h(
      'p',
      { class: 'crumb' },
      h('a', { href: `#tag/${encodeURIComponent(operation.tag)}` }, operation.tag),
    ),
    h(
      'h1',
      { tabindex: '-1' },
      operation.title,
      ' ',
      h(
        'a',
        { class: 'anchor', href: `#${operation.id}`, 'aria-label': 'Link to this operation' },
        icon('link'),
      ),
    ),
    h(
      'div',
      { class: 'endpoint' },
      methodBadge(operation.method),
      pathText(operation.path),
      copyButton(() => address, 'the address'),
    ),
    facts(operation),
  )
}

/** @param {import('../model.js').Operation} operation */
function facts(operation) {
  const credentials = {
    basic: 'API token',
    agent: 'Agent token',
    operator: 'Operator token',
    none: 'None needed',
  }
  const fact = (/** @type {string} */ name, /** @type {any} */ value) =>
    h('div', {}, h('dt', {}, name), h('dd', {}, value))
  return h(
    'dl',
    { class: 'facts' },
    operation.permission &&
      fact(
        'Permission',
        h(
          'span',
          { class: `permission permission-${operation.permission.toLowerCase()}` },
          operation.permission,
        ),
      ),
    operation.roles.length > 0 && fact('Role', operation.roles.join(' or ')),
    operation.fourEyes && fact('Four eyes', operation.fourEyes),
    fact('Credentials', credentials[operation.access]),
    fact('Operation', h('code', {}, operation.id)),
    operation.deprecated && fact('State', h('span', { class: 'field-deprecated' }, 'deprecated')),
  )
}

/**
 * @param {import('../model.js').Model} model
 * @param {import('../model.js').Operation} operation
 */
function parameters(model, operation) {
  const tree = {
    reader: model.reader,
    mode: /** @type {const} */ ('request'),
    choices: createChoices(),
  }
  return PLACE_TITLES.map(([place, title]) => {
    const rows = operation.parameters
      .filter((parameter) => parameter.in === place)
      .map((parameter) =>
        fieldRow(tree, {
          name: parameter.name,
          schema: parameter.schema ?? {},
          place: { path: '', ancestors: [] },
          required: Boolean(parameter.required),
          description: parameter.description,
        }),
      )
    return rows.length > 0 && section(title, h('ul', { class: 'fields' }, rows))
  })
}

/**
 * @param {string} title
 * @param {...any} content
 */
function section(title, ...content) {
  return h('section', { class: 'block' }, h('h2', {}, title), content)
}

/**
 * @param {import('../model.js').Model} model
 * @param {import('../model.js').Operation} operation
 * @param {import('../schema/variant-picker.js').Choices} choices
 */
function requestBody(model, operation, choices) {
  const { body } = operation
  if (!body) return undefined
  const tree = schemaTree({ reader: model.reader, mode: 'request', choices }, body.content.schema)
  const kind = body.mediaType === 'application/json' ? undefined : body.mediaType
  return h(
    'section',
    { class: 'block' },
    h(
      'div',
      { class: 'block-head' },
      h('h2', {}, 'Body'),
      h(
        'span',
        { class: 'hint' },
        [kind, body.required ? undefined : 'optional'].filter(Boolean).join(', '),
      ),
      expandButton(tree),
    ),
    markdown(body.description),
    tree,
  )
}

/** @param {HTMLElement} tree */
function expandButton(tree) {
  if (!tree.querySelector('details.children')) return undefined
  let isOpen = false
  const button = h('button', { type: 'button', class: 'button-link' }, 'Expand all')
  button.addEventListener('click', () => {
    isOpen = !isOpen
    toggleAll(tree, isOpen)
    button.textContent = isOpen ? 'Collapse all' : 'Expand all'
  })
  return button
}

/**
 * @param {import('../model.js').Model} model
 * @param {import('../model.js').Operation} operation
 */
function responses(model, operation) {
  const rows = operation.responses.map(([status, response], index) => {
    const details = h(
      'details',
      { class: 'response', open: index === 0 },
      h(
        'summary',
        {},
        h('span', { class: `status ${statusClass(status)}` }, status),
        h('span', { class: 'response-text' }, responseWords(model, operation, status, response)),
      ),
    )
    details.addEventListener('toggle', () => fillResponse(details, model, response))
    if (index === 0) fillResponse(details, model, response)
    return details
  })
  return rows.length > 0 && section('Responses', rows)
}

/**
 * A refusal is shown by its codes, whose meaning follows under "Error codes".
 * @param {import('../model.js').Model} model
 * @param {import('../model.js').Operation} operation
 * @param {string} status
 * @param {any} response
 */
function responseWords(model, operation, status, response) {
  const codes = operation.errors.filter(
    (code) => String(model.errorByCode.get(code)?.status) === status,
  )
  if (codes.length > 0) return codes.map((code) => [h('code', {}, code), ' '])
  return inline(response?.description?.split('\n')[0] ?? '')
}

/** @param {string} status */
const statusClass = (status) => (status.startsWith('2') ? 'status-ok' : 'status-error')

/**
 * @param {HTMLElement} details
 * @param {import('../model.js').Model} model
 * @param {any} response
 */
function fillResponse(details, model, response) {
  if (details.querySelector('.response-body')) return
  const tree = {
    reader: model.reader,
    mode: /** @type {const} */ ('response'),
    choices: createChoices(),
  }
  const headers = Object.entries(response?.headers ?? {}).map(([name, header]) => {
    const resolved = model.reader.resolve(header)
    return fieldRow(tree, {
      name,
      schema: resolved.schema ?? {},
      place: { path: '', ancestors: [] },
      badge: 'header',
      description: resolved.description,
    })
  })
  const schema = contentSchema(response)
  details.append(
    h(
      'div',
      { class: 'response-body' },
      headers.length > 0 && h('ul', { class: 'fields' }, headers),
      schema ? schemaTree(tree, schema) : h('p', { class: 'schema-note' }, 'No body.'),
      refusalExamples(model, response),
    ),
  )
}

/**
 * What was answered with each code, closed until somebody wants to see it.
 * @param {import('../model.js').Model} model
 * @param {any} response
 */
function refusalExamples(model, response) {
  const { examples = {} } = contentOf(response) ?? {}
  return Object.entries(examples).map(([code, example]) => {
    const text = exampleText(model.reader.resolve(example)?.value)
    const what = `the example of ${code}`
    return h(
      'details',
      { class: 'children' },
      h('summary', {}, 'Example of ', h('code', {}, code)),
      codeBlock({ title: code, text, language: 'json', what }).element,
    )
  })
}

/**
 * A stream of events is text, everything else is JSON.
 * @param {any} value
 */
const exampleText = (value) => (typeof value === 'string' ? value : prettyJson(value))

/** @param {any} response */
const contentOf = (response) => /** @type {any} */ (Object.values(response?.content ?? {})[0])

/** @param {any} response */
const contentSchema = (response) => contentOf(response)?.schema

/**
 * @param {import('../model.js').Model} model
 * @param {import('../model.js').Operation} operation
 */
function errorCodes(model, operation) {
  if (operation.errors.length === 0) return undefined
  const rows = operation.errors
    .map((code) => model.errorByCode.get(code) ?? { code, status: 0, message: '' })
    .toSorted((a, b) => a.status - b.status || a.code.localeCompare(b.code))
    .map(({ code, status, message }) =>
      h(
        'li',
        {},
        h('span', { class: 'status status-error' }, status || ''),
        h('div', {}, h('a', { href: `#errors/${code}` }, h('code', {}, code)), h('p', {}, message)),
      ),
    )
  return section('Error codes', h('ul', { class: 'code-list' }, rows))
}

/**
 * What the tests were answered; where nobody recorded it, what the schema allows.
 * @param {import('../model.js').Model} model
 * @param {import('../model.js').Operation} operation
 */
function exampleAnswer(model, operation) {
  const [status, response] =
    operation.responses.find(([code, one]) => code.startsWith('2') && contentOf(one)) ?? []
  const { schema, example } = contentOf(response) ?? {}
  if (!schema) return undefined
  const made = () => createExample({ reader: model.reader, schema, mode: 'response', full: true })
  return codeBlock({
    title: `Example answer, ${status}`,
    text: exampleText(example ?? made().value),
    language: 'json',
    what: 'the example answer',
  }).element
}

/**
 * @param {import('../model.js').Model} model
 * @param {import('../model.js').Operation} operation
 */
function otherOperations(model, operation) {
  const ordered = model.groups.flatMap((group) => group.operations)
  const places = ordered.map(({ id, title }) => ({ href: `#${id}`, title }))
  return neighbours({ places, at: ordered.indexOf(operation), label: 'Neighbouring operations' })
}
