import { formatId } from '../../kernel/ids.ts'
import { audit } from '../../infra/work/audit.ts'
import type { Proposal } from './proposal.ts'

type Step = 'propose' | 'approve' | 'reject' | 'withdraw' | 'expire'

/** The note of the audit entry names the command and its resource (OPER-28). */
export function auditProposal(
  work: Parameters<typeof audit>[0],
  step: Step,
  { id, command, resource }: Pick<Proposal, 'id' | 'command' | 'resource'>,
  more?: string,
): void {
  const what = [command, ...(resource === null ? [] : [resource])].join(' ')
  const note = [what, ...(more === undefined ? [] : [more])].join(': ')
  audit(work, { action: `proposals ${step}`, resource: formatId('proposal', id), note })
}
