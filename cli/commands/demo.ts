import { CallError, type Context, type Run } from '../command.ts'
import { playMonth } from '../demo/month.ts'
import { randomFrom } from '../demo/random.ts'
import { connect } from '../session.ts'

const BAR = 30
const DAYS = 30
const SEED = 1

/** Fills a sandbox with a believable month; the same seed makes the same month (OPER-158). */
export const demo: Run = async (input, context) => {
  const days = numberOf(input.option('days') ?? String(DAYS), 'days')
  const seed = numberOf(input.option('seed') ?? String(SEED), 'seed')
  const florin = await connect(context)
  // Refused at once in production, before anything is made.
  await florin.sandbox.clock.get({ signal: context.signal })
  const { signal } = context
  const progress = barOn(context)
  const made = await playMonth({ florin, random: randomFrom(seed), days, progress, signal })
  return { seed, days, ...made }
}

function numberOf(text: string, name: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new CallError(`--${name} is a whole number up to 9999.`)
  return Number(text)
}

/** Drawn over itself where a person is at the terminal; silent elsewhere. */
const barOn =
  ({ stdin, complain }: Context) =>
  (done: number, all: number): void => {
    if (!stdin.isTTY) return
    const filled = Math.round((BAR * done) / all)
    const end = done === all ? '\n' : ''
    complain(`\r[${'#'.repeat(filled)}${'.'.repeat(BAR - filled)}] ${done}/${all}${end}`)
  }
