import { announcePlatformChange } from '../../../src/infra/callers.ts'
import type { Work } from '../../../src/infra/work/work.ts'
import { mustParseId, type Id } from '../../../src/kernel/ids.ts'
import { inPlatform } from '../../../src/operator/in-platform.ts'
import { updatePlatform } from '../../../src/operator/queries/operator-store.ts'
import { expectStatus, type Api, type HasId } from '../api.ts'
import type { Kit, TestPlatform } from '../florin.ts'
import { newWallet, type SigningWallet } from '../wallets/signing-wallets.ts'

export const CUSTOMERS = '/customers/external-accounts'
export const PLATFORM = '/platform/external-accounts'

/** An individual of the platform; its id. */
export async function newCustomer(api: Api, fields: object = {}): Promise<string> {
  const body = { customerType: 'INDIVIDUAL', ...fields }
  return expectStatus(await api.post('/customers', body), 201).id
}

/** The account that a create request answers. */
export async function newAccount(
  api: Api,
  body: object,
  path: typeof CUSTOMERS | typeof PLATFORM = CUSTOMERS,
) {
  return expectStatus(await api.post(path, body), 201)
}

/** A wallet of its holder's own, with the keys to prove it. */
export async function newOwnWallet(
  api: Api,
  customerId: string,
  wallet: SigningWallet = newWallet(),
) {
  const account = await newAccount(api, walletBody(wallet, { customerId }))
  return { wallet, account, path: `${CUSTOMERS}/${account.id}` }
}

export const walletBody = ({ accountType, currency, address }: SigningWallet, fields: object) => ({
  currency,
  ownershipType: 'FIRST_PARTY',
  accountInfo: { accountType, address },
  ...fields,
})

export type OperatorSwitches = Readonly<{ strictIdentifiers?: boolean; travelRule?: boolean }>

/** What `florin platforms update` switches; to be called before the platform is used. */
export async function switchPlatform(
  kit: Pick<Kit, 'florin'>,
  { platformId }: Pick<TestPlatform, 'platformId'>,
  { strictIdentifiers, travelRule }: OperatorSwitches,
): Promise<void> {
  await asOperator(kit, { platformId }, async ({ tx, platform }) => {
    await updatePlatform(tx, platform.id, {
      name: null,
      skipVerificationPaperwork: null,
      strictIdentifiers: strictIdentifiers ?? null,
      travelRule: travelRule ?? null,
    })
    announcePlatformChange(tx, platform.id)
  })
}

/** Runs a use-case as the operator, in a transaction of its own. */
export function asOperator<T>(
  { florin }: Pick<Kit, 'florin'>,
  { platformId }: Pick<TestPlatform, 'platformId'>,
  body: (work: Work) => Promise<T>,
): Promise<T> {
  return inPlatform(florin.deps, { platformId, action: 'test' }, body)
}

export const accountIdOf = (account: HasId): Id<'externalAccount'> =>
  mustParseId('externalAccount', account.id)
