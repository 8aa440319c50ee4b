/** The applicant behind a link to the hosted flow, with all data that the flow shows (chapter 11, section 8). */
import type { FastifyRequest } from 'fastify'
import { fail } from '../../kernel/errors.ts'
import { formatId } from '../../kernel/ids.ts'
import { platformTime, type Platform } from '../../kernel/platform.ts'
import { findPlatform } from '../../infra/platforms.ts'
import type { RequestIds } from '../../infra/work/request-ids.ts'
import type { Work } from '../../infra/work/work.ts'
import { ownersOf, type BeneficialOwner } from '../../features/beneficial-owners/index.ts'
import type { Customer } from '../../features/customers/index.ts'
import { documentsOf, type Document } from '../../features/documents/index.ts'
import {
  findKycLink,
  lockLinkCustomer,
  mustBeOpenLink,
  readRequirements,
  readStage,
  type ErrorEntry,
  type KycLink,
  type Stage,
} from '../../features/verifications/index.ts'
import type { PageHost, PageVisit } from '../page-host.ts'

/** A known link, of any platform. */
export type Visit = Readonly<{ link: KycLink; platform: Platform; token: string }>

export type Applicant = Visit &
  Readonly<{
    customer: Customer
    stage: Stage
    /** What a submission would still lack. */
    requirements: readonly ErrorEntry[]
    owners: readonly BeneficialOwner[]
    documents: readonly Document[]
  }>

/** Fails: KYC_LINK_NOT_FOUND. */
export async function findVisit({ deps: { db } }: PageHost, request: FastifyRequest) {
  const { token } = request.params as { token: string }
  const link = await findKycLink(db.read, token)
  const platform = link && (await findPlatform(db.read, link.platformId))
  return link && platform ? { link, platform, token } : fail('KYC_LINK_NOT_FOUND')
}

const readingOf = ({ deps: { db, clock, keyring, providers } }: PageHost, { platform }: Visit) => {
  const now = platformTime(platform, clock.now())
  return { tx: db.read, platform, ports: providers.portsOf(platform), keyring, now }
}

/** Fails: KYC_LINK_USED, KYC_LINK_EXPIRED. */
export const mustBeOpen = (host: PageHost, visit: Visit): Promise<Customer> =>
  mustBeOpenLink(readingOf(host, visit), visit.link)

/** Fails: KYC_LINK_USED, KYC_LINK_EXPIRED. */
export async function readApplicant(host: PageHost, visit: Visit): Promise<Applicant> {
  const reading = readingOf(host, visit)
  const customer = await mustBeOpen(host, visit)
  const [stage, requirements, owners, documents] = await Promise.all([
    readStage(reading, customer),
    readRequirements(reading, customer),
    ownersOf(reading, customer.id),
    documentsOf(reading, customer.id),
  ])
  return { ...visit, customer, stage, requirements, owners, documents }
}

/** One transaction as the visitor of the link. */
export function inVisit<T>(
  host: PageHost,
  { visit, requestId, clientRequestId }: RequestIds & Readonly<{ visit: Visit }>,
  body: (work: Work) => Promise<T>,
): Promise<T> {
  const { platform, link } = visit
  const subjectId = formatId('customer', link.customerId)
  const opened: PageVisit = {
    platform,
    actor: { kind: 'page', name: 'verification', subjectId },
    requestId,
    clientRequestId,
  }
  return host.inWork(opened, body)
}

/**
 * Under review and after a decision a link changes nothing: nothing is required, and another holder of the link must
 * not alter what is decided on. Locks the customer until the change is made. Fails: KYC_LINK_USED, KYC_LINK_EXPIRED,
 * CONFLICT.
 */
export async function mustBeApplying(work: Work, { link }: Visit): Promise<Customer> {
  const customer = await lockLinkCustomer(work, link)
  const stage = await readStage(work, customer)
  return stage === 'APPLYING' ? customer : fail('CONFLICT', { reason: stage })
}
