import { kindsByType } from '../../../orders/index.ts'
import { cardOrders } from '../../../features/cards/index.ts'
import { depositSubject, returnOrders } from '../../../features/deposits/index.ts'
import { nameChecks } from '../../../features/external-accounts/index.ts'
import { accountOpenings } from '../../../features/internal-accounts/index.ts'
import { moneyOrders } from '../../../features/settlements/index.ts'
import {
  accountSubject,
  customerSubject,
  ownerSubject,
  paymentSubject,
  screeningsOf,
} from '../../../features/screening/index.ts'
import { coinOrders } from '../../../features/stablecoins/index.ts'
import { identityChecks } from '../../../features/verifications/index.ts'

/** Every kind of order by type, shared by the commands and the service. */
export const orderKinds = kindsByType([
  moneyOrders,
  returnOrders,
  accountOpenings,
  nameChecks,
  identityChecks,
  screeningsOf([accountSubject, customerSubject, ownerSubject, paymentSubject, depositSubject]),
  ...cardOrders,
  coinOrders,
])
