import type { Work } from '../../infra/work/work.ts'
import type { Customer } from '../customers/index.ts'

/** Triggers the evaluation of an open owner review (KYB-11); an individual has none. */
export async function announceDocuments(
  work: Work,
  { id: customerId, customerType }: Customer,
): Promise<void> {
  if (customerType === 'BUSINESS') await work.react('documents.changed', { customerId })
}
