/** Lists as pages: one row more is asked for than is shown, which says whether there are more (OPER-65). */
import { UsageError, type CommandHead, type Input } from '../command.ts'

const LIMIT_DEFAULT = 50
const LIMIT_MAX = 500

const isPaged = ({ options = {} }: CommandHead): boolean => 'limit' in options

const limitOf = (input: Input): number => Number(input.option('limit') ?? LIMIT_DEFAULT)

export function withOneMore(command: CommandHead, input: Input): Input {
  if (!isPaged(command)) return input
  const limit = limitOf(input)
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX)
    throw new UsageError(`--limit is a whole number from 1 to ${LIMIT_MAX}.`)
  return {
    ...input,
    option: (name) => (name === 'limit' ? String(limit + 1) : input.option(name)),
  }
}

export function pageOf(command: CommandHead, input: Input, answer: unknown): unknown {
  if (!Array.isArray(answer)) return answer
  const data: unknown[] = isPaged(command) ? answer.slice(0, limitOf(input)) : answer
  return { data, hasMore: data.length < answer.length }
}
