import assert from 'node:assert/strict'
import type { TSchema } from '../../src/infra/http/schema/type.ts'
import { PassThrough } from 'node:stream'
import { CLIENT_COMMANDS } from '../../../cli/table.ts'
import { runCommandLine } from '../../src/app/command-line.ts'
import { replyValidator, type Validator } from '../../src/infra/http/schema/validate.ts'
import { loadSettings } from '../../src/infra/settings/settings.ts'
import { describeActor } from '../../src/kernel/access/actor.ts'
import type { Caller, Role } from '../../src/kernel/access/operator.ts'
import { newId } from '../../src/kernel/ids.ts'
import { localCaller } from '../../src/operator/access/caller.ts'
import { answerOf } from '../../src/operator/answer.ts'
import { commands } from '../../src/operator/commands.ts'
import { findCommand, parseCommandLine } from '../../src/operator/command-line/command-line.ts'
import { ProposalSchema } from '../../src/operator/proposals/proposal.ts'
import type { Body } from './api.ts'
import { isShared, type Kit } from './florin.ts'

/** Runs a subcommand of `florin` as the command line gives it; the JSON value that it prints. `rest` may hold blanks. */
export async function operate<T = Body>(
  { florin }: Pick<Kit, 'florin'>,
  line: string,
  ...rest: readonly string[]
): Promise<T> {
  const forAll = FOR_ALL_PLATFORMS.some((command) => line.startsWith(command))
  assert.ok(!(forAll && isShared(florin)), `${line} changes all platforms: call startOwnKit()`)
  const args = [...line.split(' '), ...rest]
  const command = findCommand(commands, args)
  assert.ok(command, `there is a command ${line}`)
  const read = () => parseCommandLine(command, args)
  const answered = await answerOf(florin.deps, command, read)
  const [answer, schema] = answered.proposal
    ? [answered.proposal, ProposalSchema]
    : [answered.answer, command.answers]
  assert.deepEqual(validatorOf(schema)(answer), [], `${line} answers as its schema says`)
  return answer as T
}

/** How audit entries call the user who runs these tests. */
export const LOCAL_ACTOR = describeActor(localCaller().actor)

/** The same service for commands of another operator. */
export const asCaller = <K extends Pick<Kit, 'florin'>>(kit: K, operator: Caller): K => ({
  ...kit,
  florin: { ...kit.florin, deps: { ...kit.florin.deps, operator } },
})

/** A person with these roles, as signed in. */
export const operatorNamed = (name: string, ...roles: readonly Role[]): Caller => ({
  operatorId: newId('operator'),
  name,
  actor: { kind: 'operator', name },
  roles,
  isMachine: false,
})

/** A program that works for them, by a token. */
export const tokenOf = (owner: Caller): Caller => ({
  ...owner,
  actor: { kind: 'operator', by: 'operator-token', name: `${owner.name}/ci` },
  tokenId: newId('operatorToken'),
  isMachine: true,
})

/** What a call of `florin` has printed, and its exit status. */
export type CommandRun = Readonly<{ status: number; stdout: string; stderr: string }>

type CommandCall = Readonly<{
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  /** What is typed or piped in. */
  input?: string
  signal?: AbortSignal
  /** Hears of output while the command runs. */
  onOutput?: (text: string) => void
}>

/** A whole call of `florin`, settings and output included, in this process: one of its own takes a second to load. */
export async function callFlorin({
  args,
  env,
  cwd,
  input = '',
  signal,
  onOutput,
}: CommandCall): Promise<CommandRun> {
  let stdout = ''
  let stderr = ''
  const status = await runCommandLine({
    args,
    settings: () => loadSettings(env, { cwd }),
    print: (text) => {
      stdout += text
      onOutput?.(text)
    },
    complain: (text) => void (stderr += text),
    client: {
      commands: CLIENT_COMMANDS,
      env,
      stdin: Object.assign(new PassThrough().end(input), { isTTY: false }) as never,
      interrupted: () => signal ?? new AbortController().signal,
    },
  })
  return { status, stdout, stderr }
}

/** What these set holds for every platform, so in a service that files share it would change what the others see. */
const FOR_ALL_PLATFORMS = ['rates set', 'network-fees set', 'providers add']

const validators = new WeakMap<TSchema, Validator>()

/** Made once: compiling takes up to a fifth of a second. */
function validatorOf(schema: TSchema): Validator {
  const validator = validators.get(schema) ?? replyValidator(schema)
  validators.set(schema, validator)
  return validator
}
