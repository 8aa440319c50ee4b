import { formatId, type Id } from '../../../kernel/ids.ts'
import type { Money } from '../../../kernel/money/money.ts'
import { isRemote, type RegisteredProvider } from '../../../kernel/ports.ts'
import type { Work } from '../../../infra/work/work.ts'
import { placeOrder } from '../../../orders/index.ts'
import { reachesDollars, readPrices } from '../../rates/index.ts'
import type { ArrivedMoney } from '../deposit.ts'

/** Undefined where nothing is asked: it is below the threshold, or no provider outside serves. */
export async function depositScreener(
  work: Work,
  money: Money,
): Promise<RegisteredProvider | undefined> {
  const provider = work.ports.providerOf({ port: 'screening', currency: money.currency })
  if (!provider || !isRemote(provider)) return undefined
  const prices = (await readPrices(work.tx, [work]))(work)
  return reachesDollars(money, provider.paymentThreshold, prices) ? provider : undefined
}

/** To whom a deposit goes once it is cleared. */
export type ScreenedOwner = Readonly<{ customerId: string | null }> &
  Readonly<
    { kind: 'internalAccount'; id: Id<'internalAccount'> } | { kind: 'quote'; id: Id<'quote'> }
  >

type Asked = Readonly<{
  provider: RegisteredProvider
  owner: ScreenedOwner
  /** Nobody else has to look at it: a CLEAR releases it. */
  mayRelease: boolean
}>

export function askAboutDeposit(
  work: Work,
  { id, money }: Pick<ArrivedMoney, 'id' | 'money'>,
  { provider, owner: { kind, id: ownerId, customerId }, mayRelease }: Asked,
): void {
  placeOrder(work, {
    type: 'SCREENING',
    provider,
    subject: formatId('transaction', id),
    money,
    request: { direction: 'INCOMING', mayRelease, owner: { kind, id: ownerId, customerId } },
  })
}
