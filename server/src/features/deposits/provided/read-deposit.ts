/** A deposit as a provider reports it, in the terms of the deposit machine. */
import { mustHaveNoErrors, type FieldError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { findCurrency } from '../../../kernel/money/currency.ts'
import type { RegisteredProvider } from '../../../kernel/ports.ts'
import { digestOf } from '../../../orders/index.ts'
import type { DepositBody } from '../../../providers/http/messages/pushes.ts'
import { isArrivalRail, isCryptoNetwork } from '../../transactions/index.ts'
import type { ArrivedMoney } from '../deposit.ts'

export type ArrivedDeposit = Extract<DepositBody, { state: 'PENDING' | 'RECEIVED' }>

/** The members of `to`, as funding instructions call them. A virtual account may be named by any field. */
const TARGETS = {
  accountNumber: ['accountNumber'],
  iban: ['iban'],
  clabe: ['clabeNumber'],
  // Lightning is paid to an invoice, and Spark may be.
  address: ['address', 'invoice'],
  virtualAccountId: undefined,
} satisfies Record<string, readonly string[] | undefined>

const TARGET_NAMES = Object.keys(TARGETS) as (keyof typeof TARGETS)[]

export type ProvidedMoney = ArrivedMoney & Readonly<{ source: NonNullable<ArrivedMoney['source']> }>

/** Fails: INVALID_INPUT where the currency does not come over this rail, or a transfer on a chain is not named. */
export function readDeposit(
  { id: providerId, environment }: RegisteredProvider,
  item: ArrivedDeposit,
): Readonly<{ arrived: ProvidedMoney; fields: readonly string[] | undefined }> {
  const errors = problemsOf(item)
  mustHaveNoErrors(errors)
  const { depositId, amount, rail, proofs, reference, sender } = item
  const target = TARGET_NAMES.find((name) => item.to?.[name] !== undefined)
  const onChain = isCryptoNetwork(rail) ? proofs?.onChainTransaction?.transactionHash : undefined
  return {
    arrived: {
      id: newId('transaction'),
      environment,
      money: { amount: BigInt(amount.amount), currency: amount.currency },
      paidTo: (target && item.to?.[target]) ?? null,
      report: {
        rail,
        trace: onChain ?? proofs?.trace ?? depositId,
        sender: sender?.name ?? null,
        reference: reference ?? null,
        reportedBy: providerId,
      },
      source: { providerId, depositId, digest: digestOf(item) },
    },
    fields: target && TARGETS[target],
  }
}

const problemsOf = (item: ArrivedDeposit): FieldError[] => [
  ...targetProblems(item),
  ...railProblems(item),
]

function targetProblems({ to = {} }: ArrivedDeposit): FieldError[] {
  const named = TARGET_NAMES.filter((name) => to[name] !== undefined)
  const message = `must hold at most one of ${TARGET_NAMES.join(', ')}`
  return named.length > 1 ? [{ field: 'to', message }] : []
}

function railProblems({ amount: { currency }, rail, proofs }: ArrivedDeposit): FieldError[] {
  if (!findCurrency(currency)) {
    return [{ field: 'amount.currency', message: 'must be the code of a known currency' }]
  }
  if (!isArrivalRail(currency, rail)) {
    return [{ field: 'rail', message: `must be one that ${currency} comes over` }]
  }
  const chain = proofs?.onChainTransaction
  if (!isCryptoNetwork(rail) || chain?.network === rail) return []
  const field = 'proofs.onChainTransaction'
  return [{ field, message: `must name the transaction on ${rail}` }]
}
