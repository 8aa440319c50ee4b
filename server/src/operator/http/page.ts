/** Lists as pages: one row more is asked for than is shown, which says whether there are more (OPER-65). */
import { UsageError, type CommandHead, type Given } from '../command.ts'

const LIMIT_DEFAULT = 50
const LIMIT_MAX = 500

const isPaged = ({ options = {} }: CommandHead): boolean => 'limit' in options

const limitOf = (given: Given): number => Number(given.text('limit') ?? LIMIT_DEFAULT)

export function withOneMore(command: CommandHead, given: Given): Given {
  if (!isPaged(command)) return given
  const limit = limitOf(given)
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX)
    throw new UsageError(`--limit is a whole number from 1 to ${LIMIT_MAX}.`)
  const text: Given['text'] = (name) => (name === 'limit' ? String(limit + 1) : given.text(name))
  return { ...given, text }
}

export function pageOf(command: CommandHead, given: Given, answer: unknown): unknown {
  if (!Array.isArray(answer)) return answer
  const data: unknown[] = isPaged(command) ? answer.slice(0, limitOf(given)) : answer
  return { data, hasMore: data.length < answer.length }
}
