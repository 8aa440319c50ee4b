/** The steps of the flow, and the step of each missing item. Pure. */
import type { ErrorEntry } from '../../features/verifications/index.ts'
import type { Applicant } from './applicant.ts'

export type StepName = 'details' | 'owners' | 'documents' | 'review'

export type Step = Readonly<{ name: StepName; isDone: boolean }>

const ABOUT_PERSONS: readonly string[] = ['MISSING_BENEFICIAL_OWNER', 'MISSING_CONTROL_PERSON']

export function stepFor({ type, resourceId, acceptedDocumentTypes }: ErrorEntry): StepName {
  if (acceptedDocumentTypes) return 'documents'
  const isPerson = resourceId.startsWith('BeneficialOwner:')
  return isPerson || ABOUT_PERSONS.includes(type) ? 'owners' : 'details'
}

export const lackingIn = ({ requirements }: Applicant, step: StepName): readonly ErrorEntry[] =>
  requirements.filter((requirement) => stepFor(requirement) === step)

/** A step without required and stored data is left out (KYC-28). */
export function stepsOf(applicant: Applicant): readonly Step[] {
  const held = {
    details: true,
    owners: applicant.owners.length > 0,
    documents: applicant.documents.length > 0,
    review: true,
  }
  return (['details', 'owners', 'documents', 'review'] as const)
    .map((name) => ({ name, lacks: lackingIn(applicant, name).length > 0 }))
    .filter(({ name, lacks }) => lacks || held[name])
    .map(({ name, lacks }) => ({ name, isDone: !lacks && name !== 'review' }))
}

/** The applicant continues at the first incomplete step. */
export const nextStep = (applicant: Applicant): StepName =>
  stepsOf(applicant).find(({ isDone }) => !isDone)?.name ?? 'review'
