import { failFields } from '../../../kernel/errors.ts'
import { newUuid } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { HASH_FORMS } from '../../../providers/rails/transaction-hash.ts'
import { listSideAccounts, networkOf, type SideAccount } from '../../external-accounts/index.ts'
import type { NetworkName } from '../../rates/index.ts'
import type { SettledLeg } from './leg.ts'
import { isCryptoNetwork } from '../wire/rails.ts'
import { insertLegReference, type LegOutcome } from './store.ts'
import { accountIdOfSide, type Transaction } from '../record/transaction.ts'

/** The outside identifiers of a settled leg: the reference of a bank rail, the transaction hash of a network. */
export type OutsideNames = Readonly<{ reference?: string | undefined; hash?: string | undefined }>

const REFERENCE = /^[\x20-\x7e]{1,140}$/

/** The external account that is paid; undefined for a UMA address or an internal account. */
async function payeeOf(
  { tx, platform }: Pick<Work, 'tx' | 'platform'>,
  { destination }: Transaction,
): Promise<SideAccount | undefined> {
  const id = accountIdOfSide('externalAccount', destination)
  const [account] = id ? await listSideAccounts(tx, [{ platformId: platform.id, id }]) : []
  return account
}

/** The network of a payout; undefined for a bank account, a UMA address or an internal account. */
export async function networkOfPayout(
  work: Pick<Work, 'tx' | 'platform'>,
  transaction: Transaction,
): Promise<NetworkName | undefined> {
  const payee = await payeeOf(work, transaction)
  return payee && networkOf(payee)
}

/** A payout over a network has a hash; only the sandbox makes it up itself (TXN-18). */
function needsTrace({ ports }: Work, payee: SideAccount): boolean {
  const rail = networkOf(payee)
  const { currency, accountType } = payee
  const carrier = rail && ports.providerOf({ port: 'rails', rail, currency, accountType })
  return rail !== undefined && carrier?.kind !== 'sandbox'
}

/**
 * Records the outside identifiers of a leg, whose payment the caller has locked, and puts the hash of a payout to a
 * wallet on the payment (TXN-19). Outside the sandbox such a payout needs one. Fails: INVALID_INPUT.
 */
export async function recordLeg<T extends Transaction>(
  work: Work,
  transaction: T,
  {
    leg,
    outcome,
    names: { reference, hash },
  }: Readonly<{ leg: SettledLeg; outcome: LegOutcome; names: OutsideNames }>,
): Promise<T> {
  const isPaidOut = leg === 'PAYOUT' && outcome === 'CONFIRMED'
  const payee = isPaidOut ? await payeeOf(work, transaction) : undefined
  const network = payee && networkOf(payee)
  const isNeeded = payee !== undefined && needsTrace(work, payee)
  mustBeNamed({ reference, hash }, { network, isNeeded })
  const name = hash ?? reference
  if (name !== undefined) {
    const { tx, platform, now } = work
    const key = { platformId: platform.id, transactionId: transaction.id, id: newUuid() }
    insertLegReference(tx, { ...key, leg, outcome, reference: name, recordedAt: now })
  }
  const { destination } = transaction
  if (hash === undefined || !network || !isCryptoNetwork(network) || !('accountId' in destination))
    return transaction
  const onChainTransaction = { transactionHash: hash, network }
  return { ...transaction, destination: { ...destination, onChainTransaction } }
}

function mustBeNamed(
  { reference, hash }: OutsideNames,
  { network, isNeeded }: Readonly<{ network: NetworkName | undefined; isNeeded: boolean }>,
): void {
  const failName = (field: string, message: string): never => failFields([{ field, message }])
  if (reference !== undefined && network) failName('reference', `is the hash on ${network} instead`)
  if (reference !== undefined && !REFERENCE.test(reference)) {
    failName('reference', 'must be 1 to 140 printable ASCII characters')
  }
  if (hash !== undefined && !network) failName('hash', 'is for payouts to wallets only')
  if (!network || (hash === undefined && !isNeeded)) return
  const { inWords, isValid } = HASH_FORMS[network]
  if (hash === undefined) failName('hash', `is required: the transaction on ${network}, ${inWords}`)
  if (!isValid(hash ?? '')) failName('hash', `must be a transaction on ${network}: ${inWords}`)
}
