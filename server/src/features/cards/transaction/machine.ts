import { defineMachine } from '../../../kernel/machine.ts'

export type CardTransactionStatus =
  | 'AUTHORIZED'
  | 'PARTIALLY_SETTLED'
  | 'SETTLED'
  | 'REFUNDED'
  | 'EXCEPTION'
  | 'DECLINED'

/**
 * The effects of card messages. `…Short`: the account could not pay, and the service bears the difference;
 * `…Refunded`: the whole cleared amount has been returned; `reversePart…`: only a part had been returned.
 */
export type CardTransactionEvent =
  | 'clearPart'
  | 'clear'
  | 'clearShort'
  | 'end'
  | 'endRefunded'
  | 'failPull'
  | 'returnPart'
  | 'returnAll'
  | 'returnShort'
  | 'reverseReturn'
  | 'reverseShort'
  | 'reversePart'
  | 'reversePartShort'
  | 'recover'
  | 'recoverRefunded'

/**
 * One message can authorize and clear, so a transaction may start SETTLED, and a force post also as an EXCEPTION. A
 * clearing repays no shortfall, so an exception stays one until a return or the operator ends it (CTXN-18).
 */
export const cardTransaction = defineMachine<CardTransactionStatus, CardTransactionEvent>({
  name: 'card transaction',
  initial: 'AUTHORIZED',
  alsoInitial: ['SETTLED', 'EXCEPTION', 'DECLINED'],
  table: {
    AUTHORIZED: {
      clearPart: 'PARTIALLY_SETTLED',
      clear: 'SETTLED',
      clearShort: 'EXCEPTION',
      end: 'SETTLED',
      failPull: 'EXCEPTION',
    },
    PARTIALLY_SETTLED: {
      clearPart: 'PARTIALLY_SETTLED',
      clear: 'SETTLED',
      clearShort: 'EXCEPTION',
      end: 'SETTLED',
      endRefunded: 'REFUNDED',
      returnPart: 'PARTIALLY_SETTLED',
      returnAll: 'PARTIALLY_SETTLED',
      reversePart: 'PARTIALLY_SETTLED',
    },
    SETTLED: {
      clear: 'SETTLED',
      clearShort: 'EXCEPTION',
      failPull: 'EXCEPTION',
      returnPart: 'SETTLED',
      returnAll: 'REFUNDED',
      reversePart: 'SETTLED',
      reversePartShort: 'EXCEPTION',
    },
    REFUNDED: {
      clear: 'SETTLED',
      clearShort: 'EXCEPTION',
      failPull: 'EXCEPTION',
      reverseReturn: 'SETTLED',
      reverseShort: 'EXCEPTION',
    },
    EXCEPTION: {
      clear: 'EXCEPTION',
      clearShort: 'EXCEPTION',
      failPull: 'EXCEPTION',
      returnPart: 'SETTLED',
      returnAll: 'REFUNDED',
      returnShort: 'EXCEPTION',
      reversePart: 'EXCEPTION',
      reversePartShort: 'EXCEPTION',
      recover: 'SETTLED',
      recoverRefunded: 'REFUNDED',
    },
    DECLINED: {},
  },
})
