/** A form is a command that is run once, however often the browser sends it (OPER-137). */
import { hash } from 'node:crypto'
import type { Deps } from '../../infra/deps.ts'
import { toApiError } from '../../infra/db/statement/constraints.ts'
import { reply, type Reply } from '../../infra/http/reply.ts'
import { isStorable, waitForKey } from '../../infra/work/idempotency.ts'
import { inOneTransaction } from '../../infra/work/one-transaction.ts'
import { callerOf } from '../access/caller.ts'
import { mustBeCallable } from '../access/must-be-allowed.ts'
import { answerOf, type Answered } from '../answer.ts'
import type { Command } from '../command.ts'
import { inputFor, type Call } from '../command-line/command-line.ts'
import { keyedBy, onceUnder } from './answer-request.ts'
import type { WireProposal } from '../proposals/proposal.ts'

/** `isReplay`: it was done by an earlier submit, and what is shown once is left out. */
export type Sent<T> = Answered<T> & Readonly<{ isReplay?: boolean }>

type Keyed = Pick<Command, 'access' | 'validate' | 'answersOf'>

/** What cannot be run in one transaction has no key; a proposal is decided once by itself. */
export const canBeKeyed = ({ access, validate, answersOf }: Keyed): boolean =>
  access.writes === true && !validate && !answersOf

type Form = Readonly<{ call: Call; formKey: string }>

/**
 * A second submit waits for the first and is answered alike. What was typed is part of the key: changed, it is another
 * submit. A refusal is not kept, so that the form can be sent again once its cause is gone.
 */
export async function submitOnce<T>(
  deps: Deps,
  command: Command<T>,
  { call, formKey }: Form,
): Promise<Sent<T>> {
  mustBeCallable(callerOf(deps), command)
  const { args = [], options = {} } = call
  const content = JSON.stringify([formKey, command.name, args, options])
  const fingerprint = hash('sha256', content, 'buffer')
  const key = `form ${fingerprint.toString('base64url')}`
  const keyed = keyedBy(callerOf(deps), { key, fingerprint })
  let refusal: unknown
  const answered = await inOneTransaction(deps, async (outer, tx) => {
    await waitForKey(tx, keyed)
    const act = async (joined: Deps): Promise<Reply | undefined> => {
      const sent = await answerOf(joined, command, () => inputFor(command, call)).catch(
        (error: unknown) => {
          if (!isStorable(toApiError(error as Error))) throw error
          refusal = error
        },
      )
      if (!sent) return undefined
      return sent.proposal ? reply(202, sent.proposal) : reply(200, sent.answer)
    }
    return onceUnder(outer, { keyed, command, act })
  })
  if (!answered) throw refusal
  const { status, body, headers = {} } = answered
  if (status === 202) return { proposal: body as WireProposal }
  return { answer: body as T, isReplay: 'Idempotent-Replayed' in headers }
}
