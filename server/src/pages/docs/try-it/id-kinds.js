/** Which fields take an id of the reader's own, and which operations list what they may hold. */

/**
 * By the word in front of an id: the operations that list it without further questions, how they are narrowed, and the
 * field that holds the id.
 * @type {Record<string, { lists: readonly string[], query?: string, field?: string }>}
 */
const KINDS = {
  Agent: { lists: ['listAgents'] },
  AgentAction: { lists: ['listAgentApprovals', 'agentListActions'] },
  Card: { lists: ['listCards'] },
  CardTransaction: { lists: ['listTransactions'], query: 'type=CARD' },
  Customer: { lists: ['listCustomers'] },
  DelegatedKey: { lists: ['listDelegatedKeys'] },
  Document: { lists: ['listDocuments'] },
  ExternalAccount: {
    lists: [
      'listCustomerExternalAccounts',
      'listPlatformExternalAccounts',
      'agentListExternalAccounts',
    ],
  },
  InternalAccount: {
    lists: [
      'listPlatformInternalAccounts',
      'listCustomerInternalAccounts',
      'agentListInternalAccounts',
    ],
  },
  Quote: { lists: ['listTransactions', 'agentListTransactions'], field: 'quoteId' },
  Stablecoin: { lists: ['listStablecoins'] },
  StablecoinProviderAccount: { lists: ['listStablecoinProviderAccounts'] },
  Token: { lists: ['listTokens'] },
  Transaction: { lists: ['listTransactions', 'agentListTransactions'] },
  Verification: { lists: ['listVerifications'] },
  Webhook: { lists: ['listEvents'] },
}

/** Names that do not say the kind by themselves, for parameters of a path, which have no pattern. */
const NAMED = /** @type {Record<string, readonly string[]>} */ ({
  accountId: ['InternalAccount', 'ExternalAccount'],
  actionId: ['AgentAction'],
  eventId: ['Webhook'],
  resourceId: ['Transaction', 'Card', 'Customer'],
})

/**
 * By the pattern (`^Card:…`, `^(Internal|External)Account:…`), else by the path, else by the name.
 * @param {{ name: string, pattern?: string }} field
 * @param {string} path of the operation; the word before a parameter of it names the kind
 * @returns {string[]}
 */
function kindsOf({ name, pattern = '' }, path) {
  const beginning = pattern.replace('^', '').split(':')[0] ?? ''
  const [words = '', tail = ''] = beginning.replaceAll('(', '').split(')')
  const before = path.split(`/{${name}}`)[0]?.split('/').at(-1) ?? ''
  const candidates = [
    words.split('|').map((word) => `${word}${tail}`),
    path.includes(`{${name}}`) ? [pascalCase(before.replace(/s$/, ''))] : [],
    NAMED[name] ?? (name.endsWith('Id') ? [pascalCase(name.slice(0, -2))] : []),
  ]
  const known = candidates.map((kinds) => kinds.filter((kind) => kind in KINDS))
  return known.find((kinds) => kinds.length > 0) ?? []
}

/** @param {string} text `external-account` or `externalAccount` */
const pascalCase = (text) =>
  text
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/**
 * @typedef {{ operation: import('../model.js').Operation, query: string, field: string }} Source
 * @param {object} options
 * @param {import('../model.js').Model} options.model
 * @param {import('../model.js').Operation} options.operation that the id is for
 * @param {{ name: string, pattern?: string }} options.field
 * @returns {Source[]}
 */
export function sourcesOf({ model, operation, field }) {
  const sources = kindsOf(field, operation.path).flatMap((kind) => {
    const { lists, query = '', field: holder = 'id' } = KINDS[kind] ?? { lists: [] }
    return lists.flatMap((id) => {
      const list = model.operationById.get(id)
      return list && list.access === operation.access
        ? [{ operation: list, query, field: holder }]
        : []
    })
  })
  // Of an address below a list, that list alone holds the ids.
  const own = sources.filter((source) => operation.path.startsWith(`${source.operation.path}/`))
  const isInPath = operation.path.includes(`{${field.name}}`)
  return isInPath && own.length > 0 ? own : sources
}
