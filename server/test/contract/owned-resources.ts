import assert from 'node:assert/strict'
import type { TestPlatform } from '../kit/florin.ts'
import { expectStatus, text } from '../kit/api.ts'
import { connectAgent, createAgent, policyOf } from '../kit/setups/agents.ts'
import { createOwner } from '../kit/onboarding/beneficial-owners.ts'
import { csvOf, startImport } from '../kit/onboarding/bulk-import.ts'
import { newCard } from '../kit/cards.ts'
import { BUSINESS, createCustomer } from '../kit/customers.ts'
import { pdf } from '../kit/onboarding/document-files.ts'
import { uploadDocument } from '../kit/onboarding/documents.ts'
import { externalAccountBody } from '../kit/accounts/external-account-bodies.ts'
import { addCurrency, delegate, logIn, walletOn, type TestWallet } from '../kit/wallets/wallets.ts'
import { createInvitation } from '../kit/onboarding/invitations.ts'
import { payee, payer, platformAccount, quote } from '../kit/payments.ts'
import { newScaCustomer } from '../kit/sca/sca.ts'
import { newLink, newStablecoin, newWireMint } from '../kit/stablecoins.ts'
import { idPlacesIn, namesIn, type IdPlace } from './sample.ts'

/** Equal accounts of one owner are refused, so each has a number of its own. */
let accountCount = 0

async function ownAccount({ api }: TestPlatform): Promise<string> {
  const [account] = expectStatus(await api.get('/platform/internal-accounts'), 200).data
  return text(account?.id)
}

async function ownWallet(owner: TestPlatform): Promise<TestWallet> {
  await addCurrency(owner, 'USDB')
  return walletOn(owner, { currencies: ['USDB'], fullName: 'Ann Able' })
}

async function ownAction(owner: TestPlatform): Promise<{ agentId: string; actionId: string }> {
  const { customerId, account } = await payer(owner)
  const policy = policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED' })
  const agent = await connectAgent(owner, { customerId, policy })
  const transfer = {
    source: { accountId: account },
    destination: { accountId: await payee(owner, 'USD_ACCOUNT', { customerId }) },
    amount: 100,
  }
  const action = await agent.api.post('/agents/me/transfer-out', transfer)
  return { agentId: agent.id, actionId: expectStatus(action, 201).id }
}

/** INV-5: known to every platform of the same environment; a stranger is one of the other. */
export const SHARED_WITHIN_ENVIRONMENT: readonly string[] = ['invitationCode']

/** UMA-1: addresses, which anybody may know and whose form is looked at; nobody's id. */
export const ADDRESSES: readonly string[] = ['receiverUmaAddress']

/**
 * For every name that stands in braces in a path: how a platform comes to own such a resource. The contract tests
 * walk all operations with another platform's resources, so a new path parameter needs an entry here.
 */
export const OWNED: Readonly<Record<string, (owner: TestPlatform) => Promise<string>>> = {
  tokenId: async ({ api }) => {
    const body = { name: 'owned', permissions: ['VIEW'] }
    return expectStatus(await api.post('/tokens', body), 201).id
  },
  eventId: async ({ api }) => {
    const webhookEndpoint = 'http://127.0.0.1:9/nobody'
    expectStatus(await api.patch('/config', { webhookEndpoint }), 200)
    const [event] = expectStatus(await api.get('/events'), 200).data
    return text(event?.id)
  },
  externalAccountId: async ({ api }) => {
    accountCount += 1
    const body = externalAccountBody('USD_ACCOUNT', { accountNumber: `${1000 + accountCount}9` })
    return expectStatus(await api.post('/platform/external-accounts', body), 201).id
  },
  customerId: async ({ api }) => {
    const body = { customerType: 'INDIVIDUAL' }
    return expectStatus(await api.post('/customers', body), 201).id
  },
  resourceId: ownAccount,
  accountId: ownAccount,
  credentialId: async (owner) => (await ownWallet(owner)).emailCredentialId,
  delegatedKeyId: async (owner) => (await delegate(await ownWallet(owner))).id,
  sessionId: async (owner) => (await logIn(await ownWallet(owner))).session.id,
  transactionId: async (owner) => {
    const path = `/sandbox/internal-accounts/${await ownAccount(owner)}/fund` as const
    expectStatus(await owner.api.post(path, { amount: 1 }), 200)
    const [transaction] = expectStatus(await owner.api.get('/transactions'), 200).data
    return text(transaction?.id)
  },
  quoteId: async (owner) => {
    const from = await platformAccount(owner, 'USD')
    const to = await payee(owner, 'EUR_ACCOUNT')
    return expectStatus(await quote(owner, { from, to, amount: 1000 }), 201).id
  },
  resetId: async (owner) => {
    const sca = await newScaCustomer(owner)
    const answer = await sca.post('/factors/reset', { factor: 'SMS_OTP' })
    return expectStatus(answer, 201).resetId
  },
  beneficialOwnerId: async (owner) => {
    const { id } = await createCustomer(owner, BUSINESS)
    return (await createOwner(owner, id)).id
  },
  cardId: async (owner) => (await newCard(owner)).id,
  documentId: async (owner) => {
    const { id } = await createCustomer(owner)
    return (await uploadDocument(owner, { documentHolder: id }, pdf())).id
  },
  jobId: (owner) => startImport(owner, csvOf([])),
  invitationCode: async (owner) => (await createInvitation(owner)).code,
  verificationId: async (owner) => {
    const { id: customerId } = await createCustomer(owner, BUSINESS)
    return expectStatus(await owner.api.post('/verifications', { customerId }), 200).id
  },
  agentId: async (owner) => {
    const { id } = await createCustomer(owner)
    return (await createAgent(owner, { customerId: id })).agent.id
  },
  actionId: async (owner) => (await ownAction(owner)).actionId,
  code: async (owner) => {
    const { id } = await createCustomer(owner)
    return (await createAgent(owner, { customerId: id })).deviceCode.code
  },
  stablecoinProviderAccountId: async ({ api }) => (await newLink(api)).id,
  stablecoinId: async ({ api }) => (await newStablecoin(api)).id,
  stablecoinOperationId: async ({ api }) => (await newWireMint(api)).id,
}

/** For paths with several names: how a platform comes to own resources that belong together. */
const OWNED_TOGETHER: Readonly<
  Record<string, (owner: TestPlatform) => Promise<Readonly<Record<string, string>>>>
> = { 'agentId,actionId': ownAction }

/** Where only a resource of a certain kind gets as far as the id in the path. */
export const OWNED_FOR: Readonly<Record<string, typeof OWNED>> = {
  deleteScaFactor: { customerId: async (owner) => (await newScaCustomer(owner)).customerId },
}

/**
 * Operations that find only what belongs to the customer of the query as well, or only a beneficiary of a customer: a
 * resource of the platform alone is not there for them either.
 */
export const NEEDS_MORE: readonly string[] = [
  ...['deleteScaFactor', 'getTwoFactorResetStatus', 'completeTwoFactorReset'],
  ...['startBeneficiaryTrust', 'confirmBeneficiaryTrust'],
  ...['startBeneficiaryUntrust', 'confirmBeneficiaryUntrust', 'lookupExternalAccount'],
]

/** By the prefix of an id in a body or a query: the name it has in paths. */
const NAMES: Readonly<Record<string, string>> = {
  Customer: 'customerId',
  InternalAccount: 'accountId',
  ExternalAccount: 'externalAccountId',
  Card: 'cardId',
  Quote: 'quoteId',
  Agent: 'agentId',
  StablecoinProviderAccount: 'stablecoinProviderAccountId',
}

/** Short-lived or part of another resource: the tests of their features try foreign ones. */
const NOT_WALKED = ['ScaChallenge', 'Lookup', 'CardFundingSource', 'CardTransaction']

export const isWalked = (prefix: string): boolean => !NOT_WALKED.includes(prefix)

const made = new Map<string, Promise<string>>()

/** One resource of each kind and owner is enough where none is changed. */
export function ownedOf(owner: TestPlatform, prefix: string): Promise<string> {
  const key = `${owner.platformId} ${prefix}`
  const known = made.get(key) ?? OWNED[NAMES[prefix] ?? '']?.(owner)
  assert.ok(known, `owned-resources.ts says how a platform comes to own a ${prefix}`)
  made.set(key, known)
  return known
}

export const ofWalked = ({ prefix }: IdPlace): boolean => isWalked(prefix)

/** Resources for each name in the path, that belong together. */
export async function ownedIn(path: string, owner: TestPlatform): Promise<Record<string, string>> {
  const [first = '', ...more] = namesIn(path)
  const together = OWNED_TOGETHER[namesIn(path).join()]
  if (together) return together(owner)
  if (ADDRESSES.includes(first)) return { [first]: '$success.usd@sandbox.uma.test' }
  assert.deepEqual(more, [], `owned-resources.ts says how a platform comes to own ${path}`)
  assert.ok(OWNED[first], `owned-resources.ts says how a platform comes to own a ${first}`)
  return { [first]: await OWNED[first](owner) }
}

/** The body of the example with resources of the owner's own in the place of its ids. */
export async function ownBody(example: unknown, owner: TestPlatform): Promise<unknown> {
  let body: unknown = example ?? {}
  for (const { prefix, put } of idPlacesIn(example).filter(ofWalked))
    body = put(body, await ownedOf(owner, prefix))
  return body
}
