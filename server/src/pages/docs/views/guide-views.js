/** The pages around the operations: overview, one group, the error catalogue, the events. */
import { codeBlock, prettyJson } from '../code-block.js'
import { copyButton, h, icon, methodBadge, pathText } from '../dom.js'
import { createExample } from '../schema/example.js'
import { inline, markdown } from '../markdown.js'
import { schemaTree } from '../schema/schema-tree.js'
import { createChoices } from '../schema/variant-picker.js'

const RETRY_WORDS = /** @type {Record<string, string>} */ ({
  never: 'Do not retry: change the request first.',
  same: 'Retry the same request with the same Idempotency-Key.',
  later: 'Retry later, with growing pauses.',
})
const STATUS_WORDS = /** @type {Record<number, string>} */ ({
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  412: 'Precondition failed',
  413: 'Payload too large',
  415: 'Unsupported media type',
  422: 'Unprocessable',
  423: 'Locked',
  424: 'Failed dependency',
  429: 'Too many requests',
  500: 'Internal error',
  501: 'Not implemented',
  503: 'Service unavailable',
})
const PERMISSIONS = [
  ['VIEW', 'every read'],
  ['TRANSACT', 'moving money, issuing cards, signing'],
  ['MANAGE', 'customers, accounts, settings and everything else that writes'],
]

/**
 * @param {string} title
 * @param {any} [above]
 */
const heading = (title, above) =>
  h('header', { class: 'view-head' }, above, h('h1', { tabindex: '-1' }, title))

/**
 * @param {import('../model.js').Model} model
 * @param {import('../guides/guide-text.js').GuideGroup[]} guideGroups
 */
export function overviewView(model, guideGroups) {
  return [
    heading(`${model.title} API`),
    h(
      'div',
      { class: 'guide' },
      markdown(model.description),
      h(
        'div',
        { class: 'address' },
        h('span', { class: 'hint' }, 'Base address'),
        h('code', {}, model.serverUrl),
        copyButton(() => model.serverUrl, 'the base address'),
      ),
      h(
        'div',
        { class: 'cards' },
        (model.conventions ?? conventions()).map(([title, text]) =>
          h('section', { class: 'card' }, h('h2', {}, title), markdown(text)),
        ),
      ),
      h('h2', {}, 'Guides'),
      h('div', { class: 'cards' }, guideGroups.map(guideCard)),
      h('h2', {}, 'Operations'),
      h('ul', { class: 'group-list' }, model.groups.map(groupLink)),
    ),
  ]
}

/** @param {import('../guides/guide-text.js').GuideGroup} group */
function guideCard({ title, guides }) {
  const rows = guides.map((guide) => h('li', {}, h('a', { href: `#${guide.route}` }, guide.title)))
  return h('section', { class: 'card' }, h('h3', {}, title), h('ul', { class: 'guide-list' }, rows))
}

/** @returns {[string, string][]} */
function conventions() {
  const permissions = PERMISSIONS.map(([name, text]) => `- \`${name}\`: ${text}`).join('\n')
  return [
    [
      'Authentication',
      "HTTP Basic: the token's client id is the user name, its secret the password. An agent sends its access token as `Bearer`, and only below `/agents/me`.",
    ],
    [
      'Permissions',
      `Each operation names the one it needs. None implies another.\n\n${permissions}`,
    ],
    [
      'Idempotency',
      'Any write may carry an `Idempotency-Key` of up to 255 characters. The same key with the same request gives the stored answer for 24 hours; with another request it is refused.',
    ],
    [
      'Amounts',
      'Whole numbers in the smallest unit of the currency: `10000` is 100.00 USD, and 10,000 JPY.',
    ],
    [
      'Lists',
      'Pages of `limit` (1 to 100, 20 unless told) in `data`; as long as `hasMore` is true, send `nextCursor` back as `cursor`.',
    ],
    [
      'Errors',
      'Every refusal is `{ status, code, message, details }`. Decide by `code`; all of them are under [Errors](#errors). Quote `X-Request-Id` when you ask for help.',
    ],
  ]
}

/** @param {import('../model.js').Model['groups'][number]} group */
function groupLink({ tag, operations }) {
  return h(
    'li',
    {},
    h('a', { href: `#tag/${encodeURIComponent(tag)}` }, tag),
    h(
      'span',
      { class: 'hint' },
      operations.length,
      h(
        'span',
        { class: 'visually-hidden' },
        operations.length === 1 ? ' operation' : ' operations',
      ),
    ),
  )
}

/** @param {import('../model.js').Model['groups'][number]} group */
export function groupView(group) {
  const rows = group.operations.map((operation) =>
    h(
      'li',
      {},
      h('a', { href: `#${operation.id}` }, operation.title),
      h(
        'span',
        { class: 'operation-line' },
        methodBadge(operation.method),
        pathText(operation.path),
      ),
    ),
  )
  return [
    heading(group.tag),
    h(
      'div',
      { class: 'guide' },
      markdown(group.description),
      h('ul', { class: 'operation-list' }, rows),
    ),
  ]
}

/** @param {import('../model.js').Model} model */
export function errorsView(model) {
  const statuses = [...new Set(model.errors.map(({ status }) => status))].toSorted((a, b) => a - b)
  const sections = statuses.map((status) =>
    h(
      'section',
      { class: 'block' },
      h('h2', {}, `${status} ${STATUS_WORDS[status] ?? ''}`),
      h(
        'ul',
        { class: 'error-list' },
        model.errors
          .filter((error) => error.status === status)
          .map((error) => errorRow(model, error)),
      ),
    ),
  )
  const nothing = h('p', { class: 'hint' }, 'The description lists no error codes.')
  return [
    heading('Errors'),
    h(
      'div',
      { class: 'guide' },
      markdown(
        'A refusal carries its HTTP status, a stable `code`, a `message` for the developer and, where it helps, `details`. An invalid request names every faulty field at once in `details.errors`.',
      ),
      sections.length > 0 ? sections : nothing,
    ),
  ]
}

/**
 * @param {import('../model.js').Model} model
 * @param {import('../model.js').ErrorEntry} error
 */
function errorRow(model, { code, message, retry, reasons }) {
  const raisedBy = model.operations.filter((operation) => operation.errors.includes(code))
  const list = h(
    'details',
    { class: 'raised-by' },
    h(
      'summary',
      {},
      `Raised by ${raisedBy.length} ${raisedBy.length === 1 ? 'operation' : 'operations'}`,
    ),
  )
  list.addEventListener('toggle', () => {
    if (list.childElementCount > 1) return
    list.append(
      h(
        'ul',
        {},
        raisedBy.map(({ id, title }) => h('li', {}, h('a', { href: `#${id}` }, title))),
      ),
    )
  })
  return h(
    'li',
    { id: `errors/${code}`, tabindex: '-1' },
    h(
      'h3',
      {},
      h('code', {}, code),
      ' ',
      h(
        'a',
        { class: 'anchor', href: `#errors/${code}`, 'aria-label': `Link to ${code}` },
        icon('link'),
      ),
    ),
    h('p', {}, inline(message)),
    retry && h('p', { class: 'hint' }, RETRY_WORDS[retry] ?? retry),
    reasons && reasonsList(reasons),
    raisedBy.length > 0 && list,
  )
}

/** @param {Readonly<Record<string, string>>} reasons what `details.reason` may be */
const reasonsList = (reasons) =>
  h(
    'details',
    { class: 'raised-by reasons' },
    h('summary', {}, inline(`Values of \`details.reason\`: ${Object.keys(reasons).length}`)),
    h(
      'dl',
      {},
      Object.entries(reasons).map(([reason, meaning]) => [
        h('dt', {}, h('code', {}, reason)),
        h('dd', {}, inline(meaning)),
      ]),
    ),
  )

/** @param {import('../model.js').Model} model */
export function webhooksView(model) {
  const header = model.signatureHeader ?? 'X-Service-Signature'
  const rows = model.webhooks.map(({ name, title, description = '' }) =>
    h(
      'li',
      {},
      h('a', { href: `#webhooks/${encodeURIComponent(name)}` }, title),
      h('span', {}, inline(description)),
    ),
  )
  return [
    heading('Webhooks'),
    h(
      'div',
      { class: 'guide' },
      markdown(
        `Events are sent as \`POST\` to the platform's webhook endpoint. Each carries \`id\`, \`type\`, \`timestamp\` and \`data\`; retries and redeliveries carry the same \`id\` and the same bytes.\n\n` +
          `- Answer any 2xx within 30 seconds; do the work afterwards. 409 says that the event was processed already.\n` +
          `- Anything else is tried again with growing pauses, for up to 7 days.\n` +
          `- Verify \`${header}\` over the raw body before trusting it: \`s\` is an ECDSA P-256 signature over SHA-256, in base64.`,
      ),
      codeBlock({
        title: 'Verify in Node.js',
        text: verification(header),
        what: 'the verification code',
      }).element,
      h('h2', {}, 'Events'),
      h('ul', { class: 'operation-list event-list' }, rows),
    ),
  ]
}

/** @param {string} header */
function verification(header) {
  return `import { createVerify } from 'node:crypto'

const { s } = JSON.parse(request.headers['${header.toLowerCase()}'])
const genuine = createVerify('SHA256')
  .update(rawBody)
  .verify(webhookPublicKey, Buffer.from(s, 'base64'))`
}

/**
 * @param {import('../model.js').Model} model
 * @param {import('../model.js').WebhookEvent} event
 */
export function webhookView(model, event) {
  const choices = createChoices()
  const make = () => {
    const { reader } = model
    const { schema } = event
    const { value } = createExample({
      reader,
      schema,
      mode: 'response',
      choices: choices.byPath,
      full: true,
    })
    return prettyJson(event.content?.example ?? value)
  }
  const tree = schemaTree({ reader: model.reader, mode: 'response', choices }, event.schema ?? {})
  const block = codeBlock({
    title: 'Example delivery',
    text: make(),
    language: 'json',
    what: 'the example delivery',
  })
  choices.onChange(() => block.update(make()))
  const above = h('p', { class: 'crumb' }, h('a', { href: '#webhooks' }, 'Webhooks'))
  const payload = h('section', { class: 'block' }, h('h2', {}, 'Payload'), tree)
  const reference = [heading(event.title, above), markdown(event.description), payload]
  return [
    h(
      'div',
      { class: 'columns' },
      h('div', { class: 'reference' }, reference),
      h('div', { class: 'workbench' }, block.element),
    ),
  ]
}
