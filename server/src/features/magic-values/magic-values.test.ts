/** Does what each magic value is listed for, and compares what comes of it with the words of the list. */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { SandboxMagicValue } from '../../../../sdk/src/index.ts'
import { externalAccountBody } from '../../../test/kit/accounts/external-account-bodies.ts'
import { expectStatus, text, type Answer, type Body, type Shown } from '../../../test/kit/api.ts'
import { advance, newCard, newCardholder, issueCard } from '../../../test/kit/cards.ts'
import { createCustomer } from '../../../test/kit/customers.ts'
import { startKit } from '../../../test/kit/florin.ts'
import { createOwner } from '../../../test/kit/onboarding/beneficial-owners.ts'
import { pdf } from '../../../test/kit/onboarding/document-files.ts'
import { PASSPORT, sendForm } from '../../../test/kit/onboarding/documents.ts'
import {
  completeBusiness,
  completePerson,
  ownerStatuses,
  submitted,
} from '../../../test/kit/onboarding/verification.ts'
import { operate } from '../../../test/kit/operator.ts'
import { openDashboard } from '../../../test/kit/pages/dashboard.ts'
import {
  customerAccount,
  execute,
  payee,
  payer,
  quote,
  readTransaction,
} from '../../../test/kit/payments.ts'
import { completion, newScaCustomer, startSmsLogin } from '../../../test/kit/sca/sca.ts'
import { softwareAuthenticator } from '../../../test/kit/sca/software-authenticator.ts'
import {
  burnBody,
  burnsOf,
  coinBody,
  COINS,
  linkBody,
  LINKS,
  mintBody,
  mintsOf,
  newBankAccount,
  newLink,
  newSparkWallet,
  newStablecoin,
  postKeyed,
  readOperation,
} from '../../../test/kit/stablecoins.ts'
import { lookUpUma, quoteUma, receiveUma } from '../../../test/kit/uma.ts'
import { newDeviceKey } from '../../../test/kit/wallets/client.ts'
import { newWallet, sealCode, signBoth, signedHeaders } from '../../../test/kit/wallets/wallets.ts'
import { operations } from '../../app/operations.ts'

const kit = await startKit()
const p = await kit.platform({ name: 'Without papers' })
const papers = await kit.platform({ name: 'With papers', kind: 'UNREGULATED' })
const { customerId, account } = await payer(p, { funded: 10_000_000 })
const magic = expectStatus(await p.api.get('/sandbox/magic-values'), 200).data

type Entry = Shown<SandboxMagicValue>

/** The word for it, or the code of the refusal. */
function said<A>(answer: Answer<A>, status: number, words: (body: Body) => string): string {
  const body = answer.body as unknown as Body
  if (answer.status === status) return words(body)
  const reason = (body['details']?.['reasons'] ?? body['details']?.['reason']) as unknown
  return `refused with ${text(body['code'])}${reason === undefined ? '' : `, ${String(reason)}`}`
}

const AFTER = / after (\d+) s/

/** Reads what is true now, or after the time that the entry says; before that it is not true yet. */
async function inTime({ effect }: Entry, read: () => Promise<string>): Promise<string> {
  const seen: string[] = []
  for (const part of effect.split('; ')) {
    const [after = '', seconds = '0'] = AFTER.exec(part) ?? []
    if (after === '') {
      seen.push(await read())
      continue
    }
    assert.notEqual(await read(), part.replace(after, ''), 'it takes its time')
    await advance(p, Number(seconds) + 1)
    const later = await read()
    seen.push(later === part.replace(after, '') ? part : later)
  }
  return seen.join('; ')
}

async function transactionText(id: string): Promise<string> {
  const { status, failureReason, refund } = await readTransaction(p, id)
  const why = failureReason === undefined ? '' : `: ${failureReason}`
  return `${status}${why}${refund ? `, refund ${refund.status}: ${refund.reason}` : ''}`
}

async function payBy(entry: Entry, ends: { from: string; to: string }): Promise<string> {
  const quoted = expectStatus(await quote(p, { ...ends, amount: 1_000 }), 201)
  expectStatus(await execute(p, quoted), 200)
  return inTime(entry, () => transactionText(quoted.transactionId))
}

const bank = ({ value: suffix }: Entry, more = {}) =>
  payee(p, 'USD_ACCOUNT', { suffix, customerId, more })

async function transfer(entry: Entry, path: '/transfer-in' | '/transfer-out'): Promise<string> {
  const outside = await bank(entry)
  const [from, to] = path === '/transfer-in' ? [outside, account] : [account, outside]
  const body = { source: { accountId: from }, destination: { accountId: to }, amount: 1_000 }
  const { id } = expectStatus(await p.api.post(path, body), 201)
  return inTime(entry, () => transactionText(id))
}

async function confirmContact({ value: code }: Entry, channel: 'email' | 'phone') {
  const contact = { region: 'DE', email: 'eva@example.com', phoneNumber: '+4930123456' }
  const { id } = await createCustomer(papers, contact)
  expectStatus(await papers.api.post(`/customers/${id}/verify-${channel}`), 204)
  const answer = await papers.api.post(`/customers/${id}/verify-${channel}/confirm`, { code })
  return said(answer, 200, () => 'accepted')
}

async function logInByCode({ value: code }: Entry): Promise<string> {
  const wallet = await newWallet(kit)
  const device = newDeviceKey()
  const body = { type: 'EMAIL_OTP', encryptedOtpBundle: await sealCode(wallet, { device, code }) }
  const path = `/auth/credentials/${wallet.emailCredentialId}/verify` as const
  const call = (headers = {}) => wallet.api.post(path, body, { headers })
  return said(await signBoth(call, device), 200, () => 'accepted')
}

async function logInByPasskey({ value: signature }: Entry): Promise<string> {
  const { api, accountId } = await newWallet(kit, { customer: { email: undefined } })
  const [authenticator, challenge] = [softwareAuthenticator(), randomBytes(32)]
  const attestation = authenticator.register({ challenge })
  const made = { type: 'PASSKEY', accountId, nickname: 'Phone', attestation }
  const credential = { ...made, challenge: challenge.toString('base64url') }
  const { id } = expectStatus(await api.post('/auth/credentials', credential), 201)
  const { publicKey: clientPublicKey } = newDeviceKey()
  const path = `/auth/credentials/${id}` as const
  const asked = expectStatus(await api.post(`${path}/challenge`, { clientPublicKey }), 200)
  const assertion = { ...authenticator.assert({ challenge: randomBytes(16) }), signature }
  const headers = signedHeaders({ requestId: text(asked.requestId) })
  const answer = await api.post(`${path}/verify`, { type: 'PASSKEY', assertion }, { headers })
  return said(answer, 200, () => 'accepted')
}

async function exportWallet(stamp: string, email = `w${randomUUID()}@example.com`) {
  const { api, accountId } = await newWallet(kit, { customer: { email } })
  const { publicKeyUncompressed: clientPublicKey } = newDeviceKey()
  const call = (headers = {}) =>
    api.post(`/internal-accounts/${accountId}/export`, { clientPublicKey }, { headers })
  const { requestId } = expectStatus(await call(), 202)
  return call(signedHeaders({ stamp, requestId }))
}

async function reset(entry: Entry): Promise<string> {
  const sca = await newScaCustomer(p, { fullName: `Jane Doe ${entry.value}` })
  const started = await sca.post('/factors/reset', { factor: 'SMS_OTP' })
  const { resetId } = expectStatus(started, 201)
  const read = async () =>
    `status ${expectStatus(await sca.get(`/factors/reset/${resetId}`), 200).status}`
  if (entry.effect !== 'left undecided') return inTime(entry, read)
  await advance(p, 60)
  return (await read()) === 'status PENDING_REVIEW' ? 'left undecided' : read()
}

async function payAddress(entry: Entry): Promise<string> {
  const payer = { senderCustomerInfo: { FULL_NAME: 'Ann Able', BIRTH_DATE: '1990-02-03' } }
  const bare = (await quoteUma(p, { from: account, to: entry.value })).body as unknown as Body
  const missing = bare['details']?.['missingFields'] as readonly string[] | undefined
  const asks = missing ? `asks for ${missing.join(', ')} of the payer` : ''
  const made = await quoteUma(p, { from: account, to: entry.value, ...payer })
  const quoted = expectStatus(made, 201)
  expectStatus(await execute(p, quoted), 200)
  const rest = { ...entry, effect: entry.effect.replace(`${asks}; `, '') }
  const course = await inTime(rest, () => transactionText(quoted.transactionId))
  return [...(asks ? [asks] : []), course].join('; ')
}

/** Without an endpoint the sandbox itself approves, which shows that it was asked. */
async function receiveFrom(entry: Entry): Promise<string> {
  const { id: to } = await createCustomer(p, { fullName: 'Ann Able' })
  const payment = expectStatus(await receiveUma(p, { customerId: to, from: entry.value }), 200)
  const read = async () => {
    const {
      status,
      failureReason,
      requestedReceiverCustomerInfoFields: asked = [],
    } = expectStatus(await p.api.get(`/transactions/${payment.id}`), 200) as unknown as Readonly<{
      status: string
      failureReason?: string
      requestedReceiverCustomerInfoFields?: readonly { name: string }[]
    }>
    if (failureReason === 'MISSING_MANDATORY_PAYEE_DATA' || asked.length > 0)
      return 'asks for approval, and for FULL_NAME of the payee'
    return status === 'COMPLETED' ? 'asks for approval' : `${status}: ${failureReason}`
  }
  return inTime(entry, read)
}

async function issueTo(entry: Entry): Promise<string> {
  const platformCustomerId = `${randomUUID()}-${entry.value}`
  const card = await issueCard(p, await newCardholder(p, { platformCustomerId, funds: 0 }))
  const read = async () => {
    const { state, stateReason } = expectStatus(await p.api.get(`/cards/${card.id}`), 200)
    return `the card is ${state}${stateReason === undefined ? '' : `: ${stateReason}`}`
  }
  if (!entry.effect.includes('stays')) return inTime(entry, read)
  await advance(p, 3_600)
  return (await read()).replace(' is ', ' stays ')
}

async function buyAt({ value }: Entry): Promise<string> {
  const card = await newCard(p, { funds: 5_000 })
  const made = await card.authorize(1_000, `BLUE DOOR ${value}`)
  if (made.declineReason !== undefined) return `declined: ${made.declineReason}`
  const at = async () => (await card.transaction(made)).status
  const total = async () => (await card.balances(card.accountId)).totalBalance
  assert.equal(await total(), 5_000)
  await advance(p, 6)
  if ((await at()) === 'EXCEPTION') return 'approved; after 5 s the debit fails: EXCEPTION'
  await advance(p, 25)
  return (await total()) === 4_000 ? 'approved; the account is debited for good after 30 s' : ''
}

async function link(entry: Entry): Promise<string> {
  const { api } = p
  const answer = await postKeyed(
    api,
    LINKS,
    linkBody({ apiClientId: `c_${randomUUID()}${entry.value}` }),
  )
  const isToChoose = answer.text.includes('providerAccountId')
  if (answer.status !== 201)
    return `${said(answer, 201, String)}${isToChoose ? ': providerAccountId has to name one of two' : ''}`
  const { id } = expectStatus(answer, 201)
  return inTime(
    entry,
    async () => `status ${expectStatus(await api.get(`${LINKS}/${id}`), 200).status}`,
  )
}

async function register(entry: Entry): Promise<string> {
  const { api } = p
  const { id: stablecoinProviderAccountId } = await newLink(api)
  const providerTokenIdentifier = `A${randomUUID().slice(0, 6)}${entry.value}`
  const body = coinBody({ stablecoinProviderAccountId, providerTokenIdentifier })
  const answer = await postKeyed(api, COINS, body)
  if (answer.status !== 201) return said(answer, 201, String)
  const { id } = expectStatus(answer, 201)
  const read = async () => expectStatus(await api.get(`${COINS}/${id}`), 200).issuanceStatus
  return inTime(entry, async () => `issuanceStatus ${await read()}`)
}

const NEVER_FUNDED = 'its funds never come, where they come from outside'

async function operateCoin(entry: Entry, kind: 'mint' | 'burn', field: 'description' | 'account') {
  const { api } = p
  const coin = await newStablecoin(api)
  const described = field === 'description' ? { description: `for ${entry.value}` } : {}
  const number = await newBankAccount(api, field === 'account' ? entry.value : undefined)
  const debit = { type: 'ACH_DEBIT', externalAccountId: number }
  const source = field === 'account' ? { fundingSource: debit } : {}
  const answer =
    kind === 'mint'
      ? await postKeyed(
          api,
          mintsOf(coin),
          mintBody(await newSparkWallet(api), { ...source, ...described }),
        )
      : await postKeyed(api, burnsOf(coin), burnBody(number, described))
  if (answer.status !== 201) return said(answer, 201, String)
  const { id } = expectStatus(answer, 201)
  const read = async () => {
    const { status, failureReason } = await readOperation(api, id)
    return `status ${status}${failureReason === undefined ? '' : `: ${failureReason}`}`
  }
  if (entry.effect !== NEVER_FUNDED) return inTime(entry, read)
  await advance(p, 3_600)
  return (await read()) === 'status PENDING_FUNDING' ? NEVER_FUNDED : read()
}

type Prove = (entry: Entry) => Promise<string>

/** By operation and object: does it, and says what came of it. */
const PROOFS: Readonly<Record<string, Prove>> = {
  'createCustomer, individual, on a platform without papers': async ({ value }) =>
    `kycStatus ${(await createCustomer(p, { fullName: `Ann ${value}` })).kycStatus}`,
  'createVerification, individual, on a platform with papers': async ({ value }) => {
    const person = await completePerson(papers, { fullName: `Maria Lopez ${value}` })
    return `verificationStatus ${(await submitted(papers, person)).verificationStatus}`
  },
  'createVerification, business': async ({ value }) => {
    const business = await completeBusiness(papers, `55230${value}`)
    return `verificationStatus ${(await submitted(papers, business)).verificationStatus}`
  },
  'createVerification, owner of an approved business': async ({ value }) => {
    const business = await completeBusiness(papers)
    await createOwner(papers, business.id, { personalInfo: { lastName: `Ray ${value}` } })
    await submitted(papers, business)
    return `kycStatus ${String((await ownerStatuses(papers, business)).at(-1))}`
  },
  'uploadDocument, document': async ({ value }) => {
    const { id } = await createCustomer(p)
    const file = { ...pdf(), name: `scan${value}.pdf` }
    const fields = { ...PASSPORT, documentHolder: id }
    return said(await sendForm(p.api, { fields, file }), 201, () => 'taken')
  },
  'confirmCustomerEmailVerification, contact': (entry) => confirmContact(entry, 'email'),
  'confirmCustomerPhoneVerification, contact': (entry) => confirmContact(entry, 'phone'),
  'completeScaLogin, SMS or authenticator app': async ({ value }) => {
    const sca = await newScaCustomer(p)
    const proof = completion(await startSmsLogin(sca), value)
    return said(await sca.post('/login/complete', proof), 200, () => 'accepted')
  },
  'verifyAuthCredential, wallet credential EMAIL_OTP or SMS_OTP': logInByCode,
  'verifyAuthCredential, wallet credential PASSKEY': logInByPasskey,
  'exportInternalAccount, wallet': async ({ value }) =>
    said(await exportWallet(value), 200, () => 'accepted'),
  'exportInternalAccount, owner of a wallet': async ({ value }) => {
    const stamp = 'sandbox-valid-signature'
    const answer = await exportWallet(stamp, `w${randomUUID()}${value}@example.com`)
    return said(answer, 200, ({ status }) => `answered as ${String(status)} first`)
  },
  'startTwoFactorReset, customer who lost a factor': reset,
  'createPlatformExternalAccount, external account, a bank’s': async ({ value }) => {
    const number = `${String(randomBytes(4).readUInt32BE()).padStart(10, '0')}${value}`
    const body = externalAccountBody('USD_ACCOUNT', { accountNumber: number })
    const answer = await p.api.post('/platform/external-accounts', body)
    const words = ({ beneficiaryVerificationStatus: status }: Body) =>
      `beneficiaryVerificationStatus ${String(status)}`
    return said(answer, 201, words)
  },
  'executeQuote, external account, paid by a quote': async (entry) =>
    payBy(entry, { from: account, to: await bank(entry) }),
  'executeQuote, external account, pulled from by a quote': async (entry) =>
    payBy(entry, { from: await bank(entry), to: await customerAccount(p, customerId, 'EUR') }),
  'createTransferOut, external account, paid by a transfer': (entry) =>
    transfer(entry, '/transfer-out'),
  'createTransferIn, external account, pulled from by a transfer': (entry) =>
    transfer(entry, '/transfer-in'),
  'sandboxReceive, external account, default for UMA deposits': async ({ value: suffix }) => {
    const { id } = await createCustomer(p, { fullName: 'Ann Able' })
    const more = { defaultUmaDepositAccount: true }
    await payee(p, 'USD_ACCOUNT', { suffix, customerId: id, more })
    const payment = expectStatus(await receiveUma(p, { customerId: id }), 200)
    const { status, failureReason } = await readTransaction(p, payment.id)
    return `${status}: ${failureReason}`
  },
  'lookupUma, receiver': async ({ value }) =>
    said(await lookUpUma(p, value.replace(/^@/, '$any@')), 200, () => 'found'),
  'createQuote, receiver': async ({ value }) =>
    said(await quoteUma(p, { from: account, to: value }), 201, () => 'quoted'),
  'executeQuote, receiver': payAddress,
  'sandboxReceive, sender': receiveFrom,
  'createCard, cardholder': issueTo,
  'sandboxSimulateCardAuthorization, purchase by card': buyAt,
  'linkStablecoinProviderAccount, link to a provider': link,
  'registerStablecoin, coin': register,
  'createStablecoinMint, mint or burn': (entry) => operateCoin(entry, 'mint', 'description'),
  'createStablecoinBurn, mint or burn': (entry) => operateCoin(entry, 'burn', 'description'),
  'createStablecoinMint, bank account that a mint debits': (entry) =>
    operateCoin(entry, 'mint', 'account'),
  'createStablecoinBurn, bank account that a burn pays': (entry) =>
    operateCoin(entry, 'burn', 'account'),
}

for (const entry of magic) {
  const { operation, object, match, value } = entry
  test(`OPER-132 ${operation}, ${object}: ${match} ${value}`, async () => {
    const prove = PROOFS[`${operation}, ${object}`]
    assert.ok(prove, 'this test knows how to do it')
    assert.equal(await prove(entry), entry.effect)
  })
}

test('OPER-132 entries name operations that there are, and no two say the same', () => {
  const ids = new Set(operations.map(({ id }) => id))
  for (const { operation } of magic) assert.ok(ids.has(operation), operation)
  const places = magic.map(({ effect: _, ...place }) => JSON.stringify(place))
  assert.equal(new Set(places).size, places.length)
})

test('OPER-132 the command and the page of a sandbox platform have all of them, production none', async () => {
  assert.deepEqual(await operate<unknown>(kit, 'sandbox magic-values'), magic)
  const visitor = await (await openDashboard(kit)).signIn()
  const page = await visitor.get(`/platforms/${encodeURIComponent(p.platformId)}`)
  for (const { operation } of magic) assert.ok(page.text.includes(operation), operation)
  const production = await kit.platform({ environment: 'PRODUCTION' })
  expectStatus(await production.api.get('/sandbox/magic-values'), 403)
  const other = await visitor.get(`/platforms/${encodeURIComponent(production.platformId)}`)
  assert.doesNotMatch(other.text, /magic values/i)
})
