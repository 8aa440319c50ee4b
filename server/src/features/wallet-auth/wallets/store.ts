import type { Environment } from '../../../kernel/platform.ts'
import type { Id } from '../../../kernel/ids.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { RESOURCE_KEY } from '../../../infra/db/statement/resource-key.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Wallet, WalletName } from './wallet.ts'

type PlatformId = Id<'platform'>

export type NewWallet = Wallet & Readonly<{ seed: Buffer; createdAt: Date }>

const COLUMNS = sql`w.account_id, w.customer_id, w.organization_id, w.wallet_id, w.user_id`

const NEW_WALLET: Columns<NewWallet> = {
  account_id: ['uuid', (row) => row.accountId],
  customer_id: ['uuid', (row) => row.customerId],
  organization_id: ['uuid', (row) => row.organizationId],
  wallet_id: ['uuid', (row) => row.walletId],
  user_id: ['uuid', (row) => row.userId],
  seed: ['bytea', (row) => row.seed],
  created_at: ['timestamptz', (row) => row.createdAt],
}

/** Queues the insert for the commit, like the accounts of new customers. */
export function insertWallets(tx: Tx, platformId: PlatformId, rows: readonly NewWallet[]): void {
  tx.queueWrite(
    sql`insert into wallets (platform_id, account_id, customer_id, organization_id, wallet_id, user_id, seed, created_at)
        select ${platformId}, * from ${given('w', NEW_WALLET, rows)}`,
  )
}

/** The one lock of this feature: it covers the wallet's credentials, sessions and signature requests. */
export function lockWallet(
  tx: Tx,
  platformId: PlatformId,
  accountId: Id<'internalAccount'>,
): Promise<Wallet | undefined> {
  return tx.maybe<Wallet>(
    sql`select ${COLUMNS} from wallets w
        where w.platform_id = ${platformId} and w.account_id = ${accountId} and w.ended_at is null
        for no key update`,
  )
}

/** Reads the fixed ids of wallets of any platforms; they never change, so no lock is needed. */
export async function listWalletNames(
  tx: Tx,
  keys: readonly Readonly<{ platformId: PlatformId; id: Id<'internalAccount'> }>[],
): Promise<readonly WalletName[]> {
  if (keys.length === 0) return []
  return tx.many<WalletName>(
    sql`select w.account_id, w.organization_id, w.wallet_id from wallets w
        join ${given('k', RESOURCE_KEY, keys)} on k.platform_id = w.platform_id and k.id = w.account_id`,
  )
}

export function lockWalletOfCustomer(
  tx: Tx,
  platformId: PlatformId,
  customerId: Id<'customer'>,
): Promise<Wallet | undefined> {
  return tx.maybe<Wallet>(
    sql`select ${COLUMNS} from wallets w
        where w.platform_id = ${platformId} and w.customer_id = ${customerId} and w.ended_at is null
        for no key update`,
  )
}

export async function readSeed(
  tx: Tx,
  platformId: PlatformId,
  accountId: Id<'internalAccount'>,
): Promise<Buffer> {
  const { seed } = await tx.one<{ seed: Buffer }>(
    sql`select seed from wallets where platform_id = ${platformId} and account_id = ${accountId}`,
  )
  return seed
}

/** Deletes credentials, OTPs and signature requests and ends sessions; the seed stays. */
export function endWallet(
  tx: Tx,
  platformId: PlatformId,
  { accountId, at }: { accountId: Id<'internalAccount'>; at: Date },
): void {
  const ofAccount = sql`platform_id = ${platformId} and account_id = ${accountId}`
  tx.queueWrite(
    sql`delete from wallet_otps where platform_id = ${platformId} and credential_id in
          (select id from wallet_credentials where ${ofAccount})`,
  )
  tx.queueWrite(
    sql`update wallet_sessions set ended_at = ${at} where ${ofAccount} and ended_at is null`,
  )
  tx.queueWrite(sql`delete from wallet_requests where ${ofAccount}`)
  tx.queueWrite(sql`delete from wallet_credentials where ${ofAccount}`)
  tx.queueWrite(sql`update wallets set ended_at = ${at} where ${ofAccount}`)
}

/** If two processes insert at once, one creates the key and both read it. */
export async function findOrInsertSigner(
  tx: Tx,
  { environment, scalar }: { environment: Environment; scalar: Buffer },
): Promise<Buffer> {
  await tx.run(
    sql`insert into wallet_signers (environment, scalar) values (${environment}, ${scalar})
        on conflict do nothing`,
  )
  const row = await tx.one<{ scalar: Buffer }>(
    sql`select scalar from wallet_signers where environment = ${environment}`,
  )
  return row.scalar
}

export async function findSigner(tx: Tx, environment: Environment): Promise<Buffer | undefined> {
  const row = await tx.find<{ scalar: Buffer }>(
    sql`select scalar from wallet_signers where environment = ${environment}`,
  )
  return row?.scalar
}
