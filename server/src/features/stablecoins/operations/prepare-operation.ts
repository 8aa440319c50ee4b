import { addMs } from '../../../kernel/clock.ts'
import { fail, mustHaveNoErrors } from '../../../kernel/errors.ts'
import { newId, type Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { IDEMPOTENCY_KEY_LIFETIME_MS } from '../../../infra/work/idempotency.ts'
import type { Work } from '../../../infra/work/work.ts'
import { mustLockAccountForUse, type ExternalAccount } from '../../external-accounts/index.ts'
import { estimateDelivery, parseCoinAmount } from './amount.ts'
import { mustFindStablecoin } from '../must-find.ts'
import { findSealedLink } from '../links/store.ts'
import type { OperationStatus } from '../machine.ts'
import {
  findOperationOfRequest,
  insertOperation,
  releaseRequestKey,
  type NewOperation,
  type OperationRequest,
} from './store.ts'
import { checkBankAccount, checkSparkWallet } from './sources.ts'
import type { SealedLink } from '../links/provider-link.ts'
import type { Stablecoin } from '../coins/stablecoin.ts'
import { mustBeUsable } from '../links/usable-link.ts'

/** A mint or burn as requested; `amount` as the caller sent it. */
export type OrderRequest = Omit<
  NewOperation,
  | 'id'
  | 'stablecoinId'
  | 'linkId'
  | 'provider'
  | 'amount'
  | 'estimatedDelivery'
  | 'createdAt'
  | 'updatedAt'
> &
  Readonly<{ amount: string }>

/** A stored operation with the data that the provider needs. */
export type PreparedOperation = Readonly<{
  id: Id<'stablecoinOperation'>
  status: OperationStatus
  order: OrderRequest
  amount: bigint
  coin: Stablecoin
  link: SealedLink
  /** The bank account that is debited or paid; a mint by wire has none. */
  bankAccount: ExternalAccount | undefined
  /** The wallet of a mint. */
  wallet: ExternalAccount | undefined
}>

/**
 * Checks a mint or burn and stores it as CREATED before the provider is asked. The same request under the same key finds
 * the stored operation (STBL-18).
 * Fails: IDEMPOTENCY_KEY_REUSED, REFERENCE_NOT_FOUND, USER_NOT_FOUND, INVALID_AMOUNT, INVALID_INPUT (unusable account),
 * CONFLICT unless the coin is PROVISIONED, STABLECOIN_PROVIDER_ACCOUNT_INVALID, STABLECOIN_PROVIDER_ACCOUNT_REVOKED.
 */
export async function prepareOperation(
  work: Work,
  request: Readonly<{ stablecoinId: Id<'stablecoin'>; order: OrderRequest }> & OperationRequest,
): Promise<PreparedOperation> {
  const { tx, platform, now } = work
  const { order, key, fingerprint } = request
  await releaseRequestKey(tx, platform.id, {
    key,
    before: addMs(now, -IDEMPOTENCY_KEY_LIFETIME_MS),
  })
  const earlier = await findOperationOfRequest(tx, platform.id, key)
  if (earlier && !earlier.fingerprint.equals(fingerprint)) fail('IDEMPOTENCY_KEY_REUSED')
  const coin = await mustFindStablecoin(work, request.stablecoinId)
  const amount = parseCoinAmount(order.amount, coin.decimals) ?? fail('INVALID_AMOUNT')
  const accounts = await findAccounts(work, { order, currency: coin.baseCurrency })
  if (coin.issuanceStatus !== 'PROVISIONED') {
    fail('CONFLICT', { issuanceStatus: coin.issuanceStatus })
  }
  const link = await findSealedLink(tx, platform.id, coin.linkId)
  invariant(link, 'A stablecoin has its link.')
  mustBeUsable(link)
  const prepared = { order, amount, coin, link, ...accounts }
  const stored = earlier ?? (await storeOperation(work, prepared, request))
  return { ...prepared, id: stored.id, status: stored.status }
}

type Accounts = Pick<PreparedOperation, 'bankAccount' | 'wallet'>

async function findAccounts(
  work: Work,
  { order, currency }: { order: OrderRequest; currency: string },
): Promise<Accounts> {
  const { operationType, sourceAccountId, destinationAccountId } = order
  const bankAccountId = operationType === 'BURN' ? destinationAccountId : sourceAccountId
  const walletId = operationType === 'MINT' ? destinationAccountId : null
  const find = (id: Id<'externalAccount'> | null) => id && mustLockAccountForUse(work, id)
  const [bankAccount, wallet] = [await find(bankAccountId), await find(walletId)]
  const bankField =
    operationType === 'BURN' ? 'destination.externalAccountId' : 'fundingSource.externalAccountId'
  const errors = [
    ...(bankAccount ? checkBankAccount(bankAccount, { field: bankField, currency }) : []),
    ...(wallet ? checkSparkWallet(wallet, 'destination.accountId') : []),
  ]
  mustHaveNoErrors(errors)
  return { bankAccount: bankAccount ?? undefined, wallet: wallet ?? undefined }
}

async function storeOperation(
  { tx, platform, now }: Work,
  { order, amount, coin }: Pick<PreparedOperation, 'order' | 'amount' | 'coin'>,
  { key, fingerprint }: OperationRequest,
): Promise<Pick<PreparedOperation, 'id' | 'status'>> {
  const { destinationRail: rail } = order
  const operation: NewOperation = {
    ...order,
    id: newId('stablecoinOperation'),
    stablecoinId: coin.id,
    linkId: coin.linkId,
    provider: coin.provider,
    amount,
    estimatedDelivery: rail && estimateDelivery(coin, { amount, rail }),
    createdAt: now,
    updatedAt: now,
  }
  if (await insertOperation(tx, platform.id, operation, { key, fingerprint })) {
    return { id: operation.id, status: 'CREATED' }
  }
  const winner = await findOperationOfRequest(tx, platform.id, key)
  invariant(winner, 'The request that won the race has stored the operation.')
  return winner.fingerprint.equals(fingerprint) ? winner : fail('IDEMPOTENCY_KEY_REUSED')
}
