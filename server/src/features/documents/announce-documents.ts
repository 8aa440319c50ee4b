import type { Work } from '../../infra/work.ts'
import type { Customer } from '../customers/index.ts'

/** Lets an open review of owners be evaluated again (KYB-11); an individual has none. */
export async function announceDocuments(
  work: Work,
  { id: customerId, customerType }: Customer,
): Promise<void> {
  if (customerType === 'BUSINESS') await work.react('documents.changed', { customerId })
}
