import { nextState } from '../../kernel/machine.ts'
import type { Work } from '../../infra/work.ts'
import { invitation as machine } from './machine.ts'
import { lockByCode, saveInvitation } from './store.ts'

/** INV-9: writes down what reads say since the deadline. Does nothing where it was claimed or cancelled before. */
export async function expireInvitation({ tx }: Work, code: string): Promise<void> {
  const { invitation } = await lockByCode(tx, code)
  const status = nextState(machine, invitation.status, 'expire')
  if (status !== undefined) saveInvitation(tx, { ...invitation, status })
}
