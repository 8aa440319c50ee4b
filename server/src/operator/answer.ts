import type { Deps } from '../infra/deps.ts'
import { runCommand } from './access/run-command.ts'
import { toJson, type Command, type Input } from './command.ts'
import { proposalToWire, type WireProposal } from './proposals/proposal.ts'

/** What `--json` prints: what the command answers, or the proposal that is made instead (OPER-23). */
export type Answered<T> =
  | Readonly<{ answer: T; proposal?: undefined }>
  | Readonly<{ proposal: WireProposal }>

/** Runs a command and answers what `--json` prints. */
export async function answerOf<T>(
  deps: Deps,
  command: Command<T>,
  read: () => Input,
): Promise<Answered<T>> {
  const outcome = await runCommand(deps, command, read)
  if ('answer' in outcome) return { answer: JSON.parse(toJson(outcome.answer)) as T }
  const { keyring, clock } = deps
  const shown = proposalToWire({ keyring, now: clock.now() }, outcome.proposal)
  return { proposal: JSON.parse(toJson(shown)) as WireProposal }
}
