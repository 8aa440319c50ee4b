import { fail } from '../../../kernel/errors.ts'
import { isRemote, type Provider } from '../../../kernel/ports.ts'
import type { Work } from '../../../infra/work/work.ts'

/** The provider that issues the platform's cards; nobody can issue one by hand. Fails: NOT_IMPLEMENTED (CARD-50). */
export function issuerOf({ ports }: Pick<Work, 'ports'>): Provider {
  const provider = ports.providerOf({ port: 'cards' })
  const canIssue = provider && (provider.kind === 'sandbox' || isRemote(provider))
  return canIssue ? provider : fail('NOT_IMPLEMENTED')
}
