import { randomBytes, randomUUID } from 'node:crypto'
import { expectStatus, type Api, type HasId } from './api.ts'
import { externalAccountBody } from './accounts/external-account-bodies.ts'
import { newAccount, PLATFORM } from './accounts/external-accounts.ts'
import type { Kit } from './florin.ts'

export const LINKS = '/stablecoin-provider-accounts'
export const COINS = '/stablecoins'
export const OPERATIONS = '/stablecoin-operations'

/** A POST under a key of its own, or a given one. */
export const postKeyed = <Path extends string>(
  api: Api,
  path: Path,
  body: unknown,
  key: string = randomUUID(),
) => api.post(path, body, { headers: { 'idempotency-key': key } })

export const linkBody = (fields: object = {}) => ({
  provider: 'BRALE',
  apiClientId: `client_${randomUUID()}_ok`,
  apiClientSecret: 's3cr3t',
  ...fields,
})

export async function newLink(api: Api, fields: object = {}) {
  return expectStatus(await postKeyed(api, LINKS, linkBody(fields)), 201)
}

const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

/** A token identifier that nobody else has. */
export const newNetworkToken = (): string =>
  `btkn1${[...randomBytes(40)].map((byte) => BECH32.charAt(byte % 32)).join('')}`

export const coinBody = (fields: object = {}) => ({
  providerTokenIdentifier: `T${randomUUID().slice(0, 8)}X`,
  networkTokenIdentifier: newNetworkToken(),
  network: 'SPARK',
  ...fields,
})

/** A coin of a link of its own. */
export async function newStablecoin(api: Api, fields: object = {}, linkFields: object = {}) {
  const { id: stablecoinProviderAccountId } = await newLink(api, linkFields)
  const body = coinBody({ stablecoinProviderAccountId, ...fields })
  return expectStatus(await postKeyed(api, COINS, body), 201)
}

/** Equal accounts of one owner are refused, so each has a number or an address of its own. */
const digits = (): string => String(randomBytes(4).readUInt32BE()).padStart(10, '0')

/** The platform's own USD account whose number ends so. */
export async function newBankAccount(api: Api, ending = '999'): Promise<string> {
  const body = externalAccountBody('USD_ACCOUNT', { accountNumber: `${digits()}${ending}` })
  return (await newAccount(api, body, PLATFORM)).id
}

/** A sandbox without strict identifiers takes any address of the right form. */
export async function newSparkWallet(api: Api): Promise<string> {
  const address = `spark1${[...randomBytes(60)].map((byte) => BECH32.charAt(byte % 32)).join('')}`
  const body = externalAccountBody('SPARK_WALLET', { address })
  return (await newAccount(api, body, PLATFORM)).id
}

export const mintBody = (walletId: string, fields: object = {}) => ({
  amount: '1000000',
  fundingSource: { type: 'WIRE' },
  destination: { accountId: walletId },
  ...fields,
})

export const burnBody = (externalAccountId: string, fields: object = {}) => ({
  amount: '2500000',
  source: { type: 'EXTERNAL_ACCOUNT' },
  destination: { type: 'EXTERNAL_ACCOUNT', externalAccountId, rail: 'ACH_CREDIT' },
  ...fields,
})

export const mintsOf = (coin: HasId) => `${COINS}/${coin.id}/mints` as const
export const burnsOf = (coin: HasId) => `${COINS}/${coin.id}/burns` as const

/** A platform with a coin, a wallet and a bank account. */
export async function coinSetup(kit: Kit) {
  const platform = await kit.platform()
  const { api } = platform
  return {
    platform,
    api,
    coin: await newStablecoin(api),
    wallet: await newSparkWallet(api),
    bank: await newBankAccount(api),
  }
}

/** A mint by wire of a new coin to a new wallet. */
export async function newWireMint(api: Api, fields: object = {}) {
  const coin = await newStablecoin(api)
  const body = mintBody(await newSparkWallet(api), fields)
  return expectStatus(await postKeyed(api, mintsOf(coin), body), 201)
}

export async function readOperation(api: Api, id: string | undefined) {
  return expectStatus(await api.get(`${OPERATIONS}/${id}`), 200)
}

export async function advanceSeconds(api: Api, seconds: number): Promise<void> {
  expectStatus(await api.post('/sandbox/clock', { advanceSeconds: seconds }), 200)
}
