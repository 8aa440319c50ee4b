import assert from 'node:assert/strict'
import { checkAnswer, toJson } from '../../src/operator/answer.ts'
import { commands } from '../../src/operator/commands.ts'
import { findCommand, parseCommandLine } from '../../src/operator/command-line.ts'
import type { Body } from './api.ts'
import type { Kit } from './florin.ts'

/** Runs a subcommand of `florin` as the command line gives it; the JSON value that it prints. `rest` may hold blanks. */
export async function operate(
  { florin }: Pick<Kit, 'florin'>,
  line: string,
  ...rest: readonly string[]
): Promise<Body> {
  const args = [...line.split(' '), ...rest]
  const command = findCommand(commands, args)
  assert.ok(command, `there is a command ${line}`)
  const { given } = parseCommandLine(command, args)
  const answer = JSON.parse(toJson(await command.run(florin.deps, given))) as Body
  checkAnswer(command, answer)
  return answer
}
