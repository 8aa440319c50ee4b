import { toWireTime } from '../../../kernel/clock.ts'
import { formatId } from '../../../kernel/ids.ts'
import { HOUSE_PLATFORM_IDS } from '../../../kernel/platform.ts'
import { amountToWire } from '../../../kernel/money/wire-money.ts'
import type { Work } from '../../../infra/work/work.ts'
import { digestOf, listOpenOfSubject, openException } from '../../../orders/index.ts'
import type { DepositBody } from '../../../providers/http/messages/pushes.ts'
import type { ItemResult } from '../../providers/index.ts'
import type { Deposit } from '../deposit.ts'

const TYPE = 'DEPOSIT_CHANGED'

/** The provider contradicts itself: no money moves, and an operator decides (PROV-80). A repetition opens no second one. */
export async function openChanged(
  { tx, now }: Pick<Work, 'tx' | 'now'>,
  known: Deposit,
  stated: DepositBody,
): Promise<ItemResult> {
  const platformId = known.ownerPlatformId ?? HOUSE_PLATFORM_IDS[known.environment]
  const subject = formatId('transaction', known.id)
  const open = await listOpenOfSubject(tx, { platformId, type: TYPE, subject })
  const digest = digestOf(stated)
  const same = open.find(({ details }) => digestOf(details['stated']).equals(digest))
  const id =
    same?.id ??
    openException(
      { tx, now, platform: { id: platformId } },
      {
        type: TYPE,
        providerId: known.source?.providerId ?? null,
        subject,
        details: { known: knownOf(known), stated },
      },
    )
  return { result: 'EXCEPTION', exceptionId: formatId('exception', id) }
}

const knownOf = ({ status, money, report, paidTo, source, createdAt }: Deposit) => ({
  depositId: source?.depositId,
  status,
  amount: { amount: amountToWire(money.amount), currency: money.currency },
  ...report,
  paidTo,
  receivedAt: toWireTime(createdAt),
})
