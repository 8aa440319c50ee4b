/** Wallets in tests: their accounts, devices that log in, and the first call and signed retry of signed operations. */
import type { Customer, AuthSession } from '../../../../sdk/src/index.ts'
import { expectStatus, text, type Answer, type Api, type Shown } from '../api.ts'
import { createCustomer } from '../customers.ts'
import type { Kit, TestPlatform } from '../florin.ts'
import { newDeviceKey, sealOtp, stamp, type DeviceKey } from './client.ts'

export type TestWallet = Readonly<{
  platform: TestPlatform
  api: Api
  customer: Shown<Customer>
  accountId: string
  /** The EMAIL_OTP credential it starts with; empty without an e-mail address. */
  emailCredentialId: string
  signerPublicKey: string
}>

let customerCount = 0

/** A customer with an embedded wallet, on a platform of its own unless one is given. */
export async function newWallet(
  kit: Kit,
  { platform, customer = {} }: { platform?: TestPlatform; customer?: object } = {},
): Promise<TestWallet> {
  return walletOn(platform ?? (await kit.platform({ currencies: ['USD', 'USDB'] })), customer)
}

export async function walletOn(platform: TestPlatform, customer: object = {}): Promise<TestWallet> {
  const { api } = platform
  customerCount += 1
  const email = `ann${customerCount}@example.com`
  const created = await createCustomer(platform, { email, ...customer })
  const query = { customerId: created.id, type: 'EMBEDDED_WALLET' }
  const accounts = expectStatus(await api.get('/customers/internal-accounts', { query }), 200)
  const accountId = text(accounts.data[0]?.id)
  const [credential] = await listCredentials(api, accountId)
  const signer = expectStatus(await api.get('/auth/wallet-signer'), 200)
  return {
    platform,
    api,
    customer: created,
    accountId,
    emailCredentialId: credential ? credential.id : '',
    signerPublicKey: signer.publicKey,
  }
}

export async function listCredentials(api: Api, accountId: string) {
  return expectStatus(await api.get('/auth/credentials', { query: { accountId } }), 200).data
}

export async function listSessions(api: Api, accountId: string) {
  return expectStatus(await api.get('/auth/sessions', { query: { accountId } }), 200).data
}

export type SignedHeaders = Readonly<{ stamp?: string; requestId?: string }>

export const signedHeaders = ({ stamp: value, requestId }: SignedHeaders) => ({
  ...(value !== undefined && { 'Service-Wallet-Signature': value }),
  ...(requestId !== undefined && { 'Request-Id': requestId }),
})

/** The bundle that a device sends back after a challenge. */
export async function sealCode(
  wallet: TestWallet,
  {
    device,
    code = '000000',
    credentialId,
  }: { device: DeviceKey; code?: string; credentialId?: string },
): Promise<string> {
  const path = `/auth/credentials/${credentialId ?? wallet.emailCredentialId}/challenge` as const
  const challenge = expectStatus(await wallet.api.post(path), 200)
  return sealOtp({
    code,
    targetBundle: text(challenge.otpEncryptionTargetBundle),
    publicKey: device.publicKey,
    signerPublicKey: wallet.signerPublicKey,
  })
}

/** A whole login with a code. */
export async function logIn(
  wallet: TestWallet,
  {
    device = newDeviceKey(),
    credentialId = wallet.emailCredentialId,
    type = 'EMAIL_OTP',
  }: { device?: DeviceKey; credentialId?: string; type?: string } = {},
) {
  const body = { type, encryptedOtpBundle: await sealCode(wallet, { device, credentialId }) }
  const call = (headers = {}) =>
    wallet.api.post(`/auth/credentials/${credentialId}/verify`, body, { headers })
  const session = expectStatus(await signBoth(call, device), 200) as Shown<AuthSession>
  return { device, session }
}

/** An operation that has to be signed. */
export type Call<A extends Answer = Answer> = (headers?: Record<string, string>) => Promise<A>

export type Challenge = Readonly<{ payloadToSign: string; requestId: string }>

/** Makes the first call and answers its challenge. */
export async function challengeOf(call: Call): Promise<Challenge> {
  return expectStatus((await call()) as Answer<{ 202: Challenge }>, 202)
}

/** Makes the first call, stamps its challenge and answers the signed retry. */
export async function signBoth<A extends Answer>(call: Call<A>, device: DeviceKey): Promise<A> {
  return call(await signedBy(device, await challengeOf(call)))
}

export async function signedBy(
  device: DeviceKey,
  { payloadToSign, requestId }: Challenge,
): Promise<Record<string, string>> {
  return signedHeaders({ stamp: await stamp(device, payloadToSign), requestId })
}

export async function advance(api: Api, seconds: number): Promise<void> {
  expectStatus(await api.post('/sandbox/clock', { advanceSeconds: seconds }), 200)
}

/** Adds a currency to those of the platform, unless it has it. */
export async function addCurrency({ api }: TestPlatform, currencyCode: string): Promise<void> {
  const { supportedCurrencies } = expectStatus(await api.get('/config'), 200)
  const offered = supportedCurrencies
  if (offered.some((one) => one.currencyCode === currencyCode)) return
  const added = { ...offered[0], currencyCode }
  const body = { supportedCurrencies: [...offered, added] }
  expectStatus(await api.patch('/config', body), 200)
}

/** A card of the wallet's owner that spends from it. */
export async function newFundedCard({ api, customer, accountId }: TestWallet): Promise<string> {
  const body = { customerId: customer.id, form: 'VIRTUAL', fundingSource: accountId }
  return expectStatus(await api.post('/cards', body), 201).id
}

/** An active delegated key of a new card. */
export async function delegate(wallet: TestWallet) {
  const { api, accountId: internalAccountId } = wallet
  const body = { cardId: await newFundedCard(wallet), internalAccountId, nickname: 'Card' }
  const call = (headers = {}) => api.post('/auth/delegated-keys', body, { headers })
  const { device } = await logIn(wallet)
  const second = expectStatus(await signBoth(call, device), 202)
  return expectStatus(await call(await signedBy(device, second)), 201)
}

export async function listDelegatedKeys({ api, accountId }: TestWallet) {
  const answer = await api.get('/auth/delegated-keys', { query: { accountId } })
  return expectStatus(answer, 200).data
}
