/**
 * Who judges whether somebody is who they claim to be. The service itself checks that the packet is complete; the
 * provider judges it. What it cannot answer at once it answers with WAIT: the decision then comes later, through the
 * same use-cases that the operator's commands use.
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
  /** A person has to look at it. */
  | 'ESCALATE'
  | 'WAIT'

export type Outcome = 'APPROVED' | 'REJECTED'

export type IdentityProvider = Readonly<{
  /** Whether the packet has to be complete before this applicant is judged. */
  needsPacket(applicant: Applicant): boolean
  judge(applicant: Applicant): Verdict
  /** What becomes of an owner when its business is decided. */
  judgeOwner(owner: { lastName: string }, business: Outcome): Outcome | 'PENDING'
}>
