// data table
/** The cases of `florin providers test`; the reference page is generated from them (PROV-150). */
import {
  answersLateOnce,
  answersQuestion,
  cancels,
  cancelsNothingSettled,
  countsDuplicatesOnce,
  failsLater,
  ignoresUnknownFields,
  knowsNoOther,
  refuses,
  refusesChangedBody,
  refusesLateOrder,
  repeatsReports,
  returnsAll,
  returnsPart,
  settles,
  survivesLostAnswer,
} from './order-plays.ts'
import { authorizes, decides, pushesDeposit, quotesPrices } from './port-plays.ts'
import type { TestedPort } from './sample-orders.ts'
import {
  refusesFutureTimestamp,
  refusesMalformed,
  refusesMissingSignature,
  refusesOldTimestamp,
  refusesOtherSecret,
  refusesReplay,
  refusesSignatureOfOtherBody,
  takesSecondSecret,
  takesSecondSignature,
} from './signature-plays.ts'
import type { Trial } from './trial.ts'

export type ConformanceCase = Readonly<{
  id: string
  title: string
  /** The ports that it tests; it is played on the first of them that the provider has. */
  ports: readonly TestedPort[]
  sent: string
  expected: string
  play(trial: Trial): Promise<void>
}>

const RAILS: readonly TestedPort[] = ['rails']
/** Where another port plays it, its own order and decision take the place of the payout and `SETTLED`. */
const WITH_ORDERS: readonly TestedPort[] = ['rails', 'identity', 'screening', 'deposits', 'cards']
const NOTHING_BEGUN = 'not 2xx, and nothing begun: GET answers 404 `NOT_FOUND`'

export const CASES: readonly ConformanceCase[] = [
  {
    id: 'C1',
    title: 'happy',
    ports: RAILS,
    sent: '`PAYOUT` with `testOutcome` `SETTLE`',
    expected: 'an answer within 10 s; reports gapless from 1 end in one `SETTLED` of the amount',
    play: settles,
  },
  {
    id: 'C2',
    title: 'duplicate',
    ports: WITH_ORDERS,
    sent: 'the same bytes five times, three of them at once',
    expected: 'one `reference`, one `SETTLED`',
    play: countsDuplicatesOnce,
  },
  {
    id: 'C3',
    title: 'lost answer',
    ports: WITH_ORDERS,
    sent: 'the connection is cut after the body was sent; then the same bytes again',
    expected: 'one `reference`, one `SETTLED`',
    play: survivesLostAnswer,
  },
  {
    id: 'C4',
    title: 'changed body',
    ports: WITH_ORDERS,
    sent: 'another amount under the id of an order that was accepted',
    expected: "not 2xx, and the first order's course is unchanged",
    play: refusesChangedBody,
  },
  {
    id: 'C5',
    title: 'refuse',
    ports: RAILS,
    sent: '`testOutcome` `REFUSE:ACCOUNT_INVALID`',
    expected: '`REFUSED` with that reason',
    play: refuses,
  },
  {
    id: 'C6',
    title: 'fail later',
    ports: RAILS,
    sent: '`testOutcome` `FAIL:ACCOUNT_CLOSED`',
    expected: '`ACCEPTED`, then `FAILED` with that reason',
    play: failsLater,
  },
  {
    id: 'C7',
    title: 'return',
    ports: RAILS,
    sent: '`testOutcome` `RETURN`',
    expected: '`RETURNED` after `SETTLED`, each with its own `returnId`, altogether the amount',
    play: returnsAll,
  },
  {
    id: 'C8',
    title: 'partial return',
    ports: RAILS,
    sent: '`testOutcome` `PARTIAL_RETURN`',
    expected: '`RETURNED` after `SETTLED`, each with its own `returnId`, altogether less',
    play: returnsPart,
  },
  {
    id: 'C9',
    title: 'deadline',
    ports: WITH_ORDERS,
    sent: 'a new order whose `expiresAt` has passed',
    expected: '`REFUSED` with `DEADLINE_PASSED`',
    play: refusesLateOrder,
  },
  {
    id: 'C10',
    title: 'ask',
    ports: WITH_ORDERS,
    sent: '`GET {url}/orders/{id}` of a known order',
    expected: 'its state and all its reports, as they were sent',
    play: answersQuestion,
  },
  {
    id: 'C11',
    title: 'ask for an unknown order',
    ports: WITH_ORDERS,
    sent: '`GET {url}/orders/{id}` of an order that was never sent',
    expected: '404 with `{"state": "NOT_FOUND", "id": "…"}`',
    play: knowsNoOther,
  },
  {
    id: 'C12',
    title: 'cancel',
    ports: RAILS,
    sent: '`testOutcome` `HOLD`, then `POST {url}/orders/{id}/cancel`',
    expected: '`CANCELLED`, then a report of it',
    play: cancels,
  },
  {
    id: 'C13',
    title: 'cancel too late',
    ports: RAILS,
    sent: '`POST {url}/orders/{id}/cancel` after `SETTLED`',
    expected: '`SETTLED`, and no change',
    play: cancelsNothingSettled,
  },
  {
    id: 'C14',
    title: 'wrong secret',
    ports: WITH_ORDERS,
    sent: 'an order signed with another secret',
    expected: NOTHING_BEGUN,
    play: refusesOtherSecret,
  },
  {
    id: 'C15',
    title: 'old timestamp',
    ports: WITH_ORDERS,
    sent: 'an order whose `webhook-timestamp` is 301 s old',
    expected: NOTHING_BEGUN,
    play: refusesOldTimestamp,
  },
  {
    id: 'C16',
    title: 'future timestamp',
    ports: WITH_ORDERS,
    sent: 'an order whose `webhook-timestamp` is 320 s ahead',
    expected: NOTHING_BEGUN,
    play: refusesFutureTimestamp,
  },
  {
    id: 'C17',
    title: 'no signature',
    ports: WITH_ORDERS,
    sent: 'an order without `webhook-signature`',
    expected: NOTHING_BEGUN,
    play: refusesMissingSignature,
  },
  {
    id: 'C18',
    title: 'signature of another body',
    ports: WITH_ORDERS,
    sent: 'an order with the signature of another body',
    expected: NOTHING_BEGUN,
    play: refusesSignatureOfOtherBody,
  },
  {
    id: 'C19',
    title: 'replay',
    ports: WITH_ORDERS,
    sent: 'a captured call again, 301 s after its timestamp',
    expected: "not 2xx, and the order's course is unchanged",
    play: refusesReplay,
  },
  {
    id: 'C20',
    title: 'two signatures',
    ports: WITH_ORDERS,
    sent: 'an order with two signatures, the first invalid, the second valid',
    expected: 'accepted',
    play: takesSecondSignature,
  },
  {
    id: 'C21',
    title: 'second secret',
    ports: WITH_ORDERS,
    sent: 'an order signed with the second of the two secrets that the provider has',
    expected: 'accepted',
    play: takesSecondSecret,
  },
  {
    id: 'C22',
    title: 'malformed',
    ports: WITH_ORDERS,
    sent: 'no JSON; an unknown type; an amount as text',
    expected: 'each not 2xx, or `REFUSED` with `INVALID_ORDER`, and nothing begun',
    play: refusesMalformed,
  },
  {
    id: 'C23',
    title: 'unknown field',
    ports: WITH_ORDERS,
    sent: 'an order with a member that the protocol does not name',
    expected: 'the member is ignored',
    play: ignoresUnknownFields,
  },
  {
    id: 'C24',
    title: 'failing listener',
    ports: RAILS,
    sent: 'each report is answered 500, then not at all, then 200',
    expected: 'each arrives in the end, with the same `sequence` and content',
    play: repeatsReports,
  },
  {
    id: 'C25',
    title: 'slow',
    ports: RAILS,
    sent: '`testOutcome` `SLOW:9`; `SLOW:11`, given up after 10 s and sent again',
    expected: 'an answer after 9 s counts; the repetition gets the same outcome',
    play: answersLateOnce,
  },
  {
    id: 'C26',
    title: 'identity',
    ports: ['identity'],
    sent: '`IDENTITY_CHECK` with `testOutcome` `DECIDE:APPROVED`',
    expected: '`DECIDED` with a decision of the right shape, in the answer or a report',
    play: decides,
  },
  {
    id: 'C27',
    title: 'screening',
    ports: ['screening'],
    sent: '`SCREENING` with `testOutcome` `DECIDE:CLEAR`',
    expected: '`DECIDED` with a verdict of the right shape, in the answer or a report',
    play: decides,
  },
  {
    id: 'C28',
    title: 'cards',
    ports: ['cards'],
    sent: '`CARD_ISSUE` with `testOutcome` `DECIDE:ISSUED`; `TEST_PUSH` with `AUTHORIZATION`',
    expected:
      '`DECIDED` with a card; an authorization, after 500 again with the same `networkReference`',
    play: authorizes,
  },
  {
    id: 'C29',
    title: 'prices',
    ports: ['prices'],
    sent: '`GET {url}/prices`; `TEST_PUSH` with `PRICES`',
    expected: 'prices of the right shape by one way or both; a push is repeated after 500',
    play: quotesPrices,
  },
  {
    id: 'C30',
    title: 'deposits',
    ports: ['deposits'],
    sent: '`TEST_PUSH` with `DEPOSIT`; `ACCOUNT_OPENING` with `testOutcome` `DECIDE:OPENED`',
    expected: 'a deposit, after 500 again with the same body; instructions or a refusal',
    play: pushesDeposit,
  },
]

/** What a provider plays for orders with `test: true`; it answers `TEST_NOT_SUPPORTED` to what it cannot play. */
export const TEST_OUTCOMES: readonly (readonly [outcome: string, played: string])[] = [
  ['SETTLE', 'accepted, sent and settled'],
  ['REFUSE:<reason>', 'refused at once with this reason'],
  ['FAIL:<reason>', 'accepted, then failed with this reason'],
  ['RETURN', 'settled, then returned as a whole'],
  ['PARTIAL_RETURN', 'settled, then returned in part'],
  ['HOLD', 'accepted, and nothing further until it is cancelled'],
  ['SLOW:<seconds>', 'as `SETTLE`, but the first answer takes so long'],
  ['DECIDE:<decision>', 'decided so, with members of the right shape'],
  ['DEPOSIT', '`TEST_PUSH` only: one deposit is sent'],
  ['PRICES', '`TEST_PUSH` only: prices are sent'],
  ['AUTHORIZATION', '`TEST_PUSH` only: one authorization is sent'],
]
