import { formatId } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { Customer } from '../../customers/index.ts'
import { readParties, type Parties } from '../../payment-terms/index.ts'
import { listOrdersOf, type Order } from '../../../orders/index.ts'
import type { Transaction } from '../../transactions/index.ts'
import { lockPayment, paymentIdOf } from './payment-of-order.ts'

type Members = Readonly<Record<string, unknown>>

/** The body of an order for money: all data of the payment that a bank may need (chapter 44, section 7). */
export async function moneyOrderBody(work: Work, order: Order): Promise<Members> {
  const transaction = await lockPayment(work, order)
  const [{ customer, ...sides }, original] = await Promise.all([
    readParties(work, transaction),
    order.type === 'REFUND' ? orderBefore(work, order) : undefined,
  ])
  return {
    ...(customer && { customer: customerMember(customer) }),
    ...wayOf(order, transaction),
    ...endsOf(order, sides),
    ...remittanceOf(transaction),
    ...(original && {
      originalOrderId: formatId('order', original.id),
      originalReference: original.ownReference,
    }),
    ...travelRuleOf(order, sides),
  }
}

const customerMember = ({ id, platformCustomerId, customerType }: Customer): Members => ({
  id: formatId('customer', id),
  platformCustomerId,
  customerType,
})

function wayOf({ request, money }: Order, transaction: Transaction): Members {
  const { network, rail } = request
  if (network !== undefined) return { network, asset: money?.currency }
  const { destination, reconciliationReference: invoice } = transaction
  const isInvoice = 'umaAddress' in destination && rail === 'LIGHTNING' && invoice !== null
  return { rail, ...(isInvoice && { invoice }) }
}

type Sides = Omit<Parties, 'customer'>

/** Debtor and creditor are the payment's own, and swapped for a refund (PROV-41). */
function endsOf({ type }: Order, { owner, source, destination }: Sides): Members {
  const from = { party: source.party ?? owner, account: source.account }
  const to = { party: destination.party ?? owner, account: destination.account }
  const isBack = type === 'REFUND'
  const [debtor, creditor] = isBack ? [to, from] : [from, to]
  return {
    debtor: isBack || type === 'PAYOUT' ? owner : debtor.party,
    ...(debtor.account && { debtorAccount: debtor.account }),
    creditor: type === 'PULL' ? owner : creditor.party,
    ...(creditor.account && type !== 'PULL' && { creditorAccount: creditor.account }),
  }
}

const known = (members: Members): Members =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  )

function remittanceOf({ description, paymentReference }: Transaction): Members {
  const remittance = paymentReference ?? description
  return remittance === null ? {} : { remittance }
}

/** Every payout to a wallet names payer and payee (PROV-40). */
function travelRuleOf(
  { type, request }: Order,
  { owner, destination: { party, external } }: Sides,
): Members {
  if (type !== 'PAYOUT' || request['network'] === undefined || !external) return {}
  const { vaspName } = external.accountInfo
  const { name, address, birthDate } = owner
  return {
    travelRule: {
      originator: known({ name, address, birthDate }),
      beneficiary: known({ name: party?.['name'], address: party?.['address'] }),
      ...known({ beneficiaryVasp: vaspName, ownershipType: external.ownershipType }),
    },
  }
}

async function orderBefore({ tx, platform }: Work, order: Order): Promise<Order | undefined> {
  const transactionId = paymentIdOf(order)
  const orders = await listOrdersOf(tx, { platformId: platform.id, transactionId })
  return orders.filter(({ id, type }) => id !== order.id && type === 'PULL').at(-1)
}
