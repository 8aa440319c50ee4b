/** An object of the API in a few words: its name and what matters about it. */

/** Where an object has its name; the first that is there. */
const NAMES = [
  'fullName',
  'businessInfo.legalName',
  'name',
  'fileName',
  'accountInfo.beneficiary.fullName',
  'accountInfo.beneficiary.legalName',
  'last4',
  'platformCustomerId',
  'documentType',
  'accountInfo.accountType',
  'type',
]
const FACTS = [
  'balance',
  'sentAmount',
  'currency',
  'receivedAmount',
  'status',
  'state',
  'kycStatus',
  'kybStatus',
]
const FACTS_SHOWN = 2

/** @param {any} item */
export function wordsFor(item) {
  const path = NAMES.find((candidate) => valueAt(item, candidate))
  const name = path && valueAt(item, path)
  const facts = FACTS.flatMap((fact) => factWords(item[fact]) ?? [])
  return [path === 'last4' ? `•••• ${name}` : name, ...facts.slice(0, FACTS_SHOWN)]
    .filter(Boolean)
    .join(', ')
}

/**
 * @param {any} item
 * @param {string} path
 */
const valueAt = (item, path) =>
  path.split('.').reduce((/** @type {any} */ value, key) => value?.[key], item)

/** @param {any} value an amount, a currency or a plain text */
function factWords(value) {
  if (typeof value === 'string') return value
  const { amount, currency } = value ?? {}
  if (typeof amount !== 'number' || !currency) return undefined
  return `${(amount / 10 ** currency.decimals).toFixed(Math.min(currency.decimals, 8))} ${currency.code}`
}
