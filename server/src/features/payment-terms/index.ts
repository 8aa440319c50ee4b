export { draftOutgoing } from './draft-outgoing.ts'
export {
  bothSidesOf,
  wantedSidesOf,
  currencyOfSide,
  destinationOf,
  findSides,
  mayPull,
  ownerOfSide,
  sourceOf,
  type PayingSide,
  type ReceivingSide,
  type Sides,
  type UmaSide,
  type WantedSides,
} from './sides.ts'
export {
  isAccessible,
  isTrustedPayee,
  mustBeAbleToReceive,
  mustBeAbleToSend,
  mustBeReceivable,
  mustBeSendable,
  mustBeUsable,
  mustNeedNoProof,
  mustPassGates,
  paymentFieldErrors,
  type Mandate,
  type Movement,
} from './gates.ts'
export { readParties, type Parties } from './parties.ts'
export { pricePayment, wantedRatesOf, type PaymentPrice } from './price.ts'
export { loadPaymentTerms, type PaymentTerms } from './terms.ts'
