import type { Environment, Platform } from './platform.ts'

/** Differences between sandbox and production beside the choice of providers (PROV-10). */
export type PlatformTraits = Readonly<{
  /** Fixed codes and proofs are accepted, and suffixes of names and numbers decide outcomes. */
  hasMagicValues: boolean
  /** The operations under /sandbox work, and answers name the fields that were ignored. */
  hasTestTools: boolean
  /** Pages and lists mark it as a sandbox. */
  isMarkedAsTest: boolean
  /** Due jobs run before the answer, and retries have no random delay, so that a test sees the same each time. */
  isPredictable: boolean
  /** A timer or the visitor decides in place of a person: resets, proofs of ownership, approvals without an endpoint. */
  decidesByItself: boolean
  /** Addresses of the developer's own machine and plain http are allowed. */
  allowsLoopback: boolean
  /** Signatures of identity tokens are verified, and a token is not a second older than allowed. */
  verifiesTokens: boolean
  /** Legal duties cannot be switched off: the travel rule in its region, the documents of a verification. */
  enforcesRegulation: boolean
  /** A second operator approves commands that release money or grant rights (OPER-21). */
  needsFourEyes: boolean
  /** E-mails, SMS and invitations go to people outside. */
  sendsMessages: boolean
  /** Wallets are funded at addresses that belong to their keys, and networks charge what they cost. */
  usesRealNetworks: boolean
  /** UMA counterparties on the internet are called, and find the platform by its own domain. */
  reachesCounterparties: boolean
}>

const REAL: PlatformTraits = {
  hasMagicValues: false,
  hasTestTools: false,
  isMarkedAsTest: false,
  isPredictable: false,
  decidesByItself: false,
  allowsLoopback: false,
  verifiesTokens: true,
  enforcesRegulation: true,
  needsFourEyes: true,
  sendsMessages: true,
  usesRealNetworks: true,
  reachesCounterparties: true,
}

const TEST: PlatformTraits = {
  hasMagicValues: true,
  hasTestTools: true,
  isMarkedAsTest: true,
  isPredictable: true,
  decidesByItself: true,
  allowsLoopback: true,
  verifiesTokens: false,
  enforcesRegulation: false,
  needsFourEyes: false,
  sendsMessages: false,
  usesRealNetworks: false,
  reachesCounterparties: false,
}

const TRAITS: Readonly<Record<Environment, PlatformTraits>> = { SANDBOX: TEST, PRODUCTION: REAL }

export const traitsOf = ({ environment }: Pick<Platform, 'environment'>): PlatformTraits =>
  TRAITS[environment]

/** Whether wrong check digits and unknown banks refuse instead of warning: always in production (EACC-5). */
export const hasStrictIdentifiers = ({
  environment,
  strictIdentifiers,
}: Pick<Platform, 'environment' | 'strictIdentifiers'>): boolean =>
  strictIdentifiers || TRAITS[environment].enforcesRegulation
