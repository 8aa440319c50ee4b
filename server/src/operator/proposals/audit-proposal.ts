import { formatId } from '../../kernel/ids.ts'
import { audit } from '../../infra/work/audit.ts'
import type { Proposal } from './proposal.ts'

type Step = 'propose' | 'approve' | 'reject' | 'withdraw' | 'expire'

/** OPER-28: its command stands in the note, with what else is to be known. */
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
