/**
 * The port to an identity provider, which judges an applicant's packet; the service checks that the packet is complete.
 * A provider that cannot answer at once answers WAIT; its decision then comes through the use-cases of the operator's
 * commands.
 */
export type Applicant = Readonly<{
  customerType: 'INDIVIDUAL' | 'BUSINESS'
  /** Full name of an individual, registration number of a business. */
  name: string | undefined
  /** LIGHT: the platform answers for its customers itself. */
  mode: 'FULL' | 'LIGHT'
}>

export type Verdict =
  | 'APPROVE'
  | 'REJECT'
  /** The newest identity document is not good enough; the platform is asked for a better one. */
  | 'ASK_AGAIN'
  /** A person has to review it. */
  | 'ESCALATE'
  | 'WAIT'

export type Outcome = 'APPROVED' | 'REJECTED'

export type IdentityProvider = Readonly<{
  /** Whether the packet has to be complete before this applicant is judged. */
  needsPacket(applicant: Applicant): boolean
  judge(applicant: Applicant): Verdict
  /** The decision on an owner when its business is decided. */
  judgeOwner(owner: { lastName: string }, business: Outcome): Outcome | 'PENDING'
}>
