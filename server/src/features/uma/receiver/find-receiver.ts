import type { ErrorCode } from '../../../kernel/errors.ts'
import type { Platform } from '../../../kernel/platform.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Settings } from '../../../infra/settings/settings.ts'
import { findCustomer, type Customer } from '../../customers/index.ts'
import { readConfig, takesIncoming } from '../../platform/index.ts'
import { listDepositAccounts, type DepositAccount } from './deposit-accounts.ts'
import { findAllowListStatus, findHolder, isPlatformDomain } from './store.ts'
import { findSandboxReceiver, isSandboxAddress, type SandboxReceiver } from './sandbox-directory.ts'
import { formatUmaAddress, type UmaAddress } from './address.ts'

/** A customer of this installation that can be paid by its address. */
export type LocalReceiver = Readonly<{
  route: 'local'
  platform: Platform
  customer: Customer
  /** In the currencies that the customer's platform accepts (UMA-13). */
  accounts: readonly DepositAccount[]
}>

/** The holder of an address: a counterparty of the sandbox, a customer here, or a customer of another provider. */
export type Receiver =
  | Readonly<{ route: 'sandbox'; receiver: SandboxReceiver }>
  | LocalReceiver
  | Readonly<{ route: 'remote' }>

export type FoundReceiver =
  | Readonly<{ ok: true; found: Receiver }>
  | Readonly<{ ok: false; code: ErrorCode }>

export type LookUpContext = Readonly<{
  tx: Tx
  platform: Platform
  settings: Pick<Settings, 'sandboxUmaDomains'>
}>

/**
 * Finds the receiver of an address by its domain (UMA-2).
 * Refuses: COUNTERPARTY_NOT_ALLOWED (UMA-7), UMA_NOT_FOUND, LNURLP_REQUEST_FAILED for a foreign domain in the sandbox,
 * and the code that an address of the sandbox stands for.
 */
export async function findReceiver(
  context: LookUpContext,
  address: UmaAddress,
): Promise<FoundReceiver> {
  const { tx, platform, settings } = context
  const sandboxDomains = settings.sandboxUmaDomains
  const { domain } = address
  const directory = { environment: platform.environment, sandboxDomains }
  if ((await findAllowListStatus(tx, directory, domain)) === false) {
    return { ok: false, code: 'COUNTERPARTY_NOT_ALLOWED' }
  }
  const { hasMagicValues, reachesCounterparties } = traitsOf(platform)
  if (hasMagicValues && isSandboxAddress({ address, sandboxDomains })) {
    const looked = findSandboxReceiver({ address, sandboxDomains })
    return looked.ok ? { ok: true, found: { route: 'sandbox', receiver: looked.found } } : looked
  }
  const local = await findLocalReceiver(context, address)
  if (local) return { ok: true, found: local }
  if (await isPlatformDomain(tx, platform, domain)) return { ok: false, code: 'UMA_NOT_FOUND' }
  return reachesCounterparties
    ? { ok: true, found: { route: 'remote' } }
    : { ok: false, code: 'LNURLP_REQUEST_FAILED' }
}

async function findLocalReceiver(
  { tx, platform: asking }: LookUpContext,
  address: UmaAddress,
): Promise<LocalReceiver | undefined> {
  const holder = await findHolder(tx, asking, formatUmaAddress(address))
  if (!holder) return undefined
  const { platform, customerId } = holder
  const customer = await findCustomer({ tx, platform }, customerId)
  if (!customer) return undefined
  const [accounts, config] = await Promise.all([
    listDepositAccounts({ tx, platform }, customer),
    readConfig({ tx, platform }),
  ])
  const open = accounts.filter(({ currency }) => takesIncoming(config, currency))
  return { route: 'local', platform, customer, accounts: open }
}
