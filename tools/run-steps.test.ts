import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSteps, type Step } from './run-steps.ts'

const step = (name: string, script: string): Step => ({
  name,
  command: [process.execPath, '-e', script],
})

test('every step runs, though one fails, and outcomes keep the order', async () => {
  const ended: string[] = []
  const outcomes = await runSteps(
    [
      step('fails', "console.log('out'); console.error('err'); process.exit(3)"),
      step('is killed', "process.kill(process.pid, 'SIGKILL')"),
      { name: 'does not exist', command: ['./no-such-program'] },
      step('passes', "console.log('well')"),
    ],
    { atOnce: 2, cwd: import.meta.dirname, onEnd: (outcome) => void ended.push(outcome.step.name) },
  )
  assert.deepEqual(
    outcomes.map((outcome) => [outcome.step.name, outcome.passed]),
    [
      ['fails', false],
      ['is killed', false],
      ['does not exist', false],
      ['passes', true],
    ],
  )
  assert.equal(ended.length, 4)
  assert.match(outcomes[0]?.output ?? '', /out[^]*err|err[^]*out/)
  assert.match(outcomes[2]?.output ?? '', /ENOENT/)
  assert.ok(outcomes.every(({ durationMs }) => durationMs > 0))
})

test('no more steps run at once than allowed', async () => {
  // Each step prints when it begins and ends; with one lane they never overlap.
  const script = 'console.log(performance.timeOrigin, performance.timeOrigin + performance.now())'
  const outcomes = await runSteps([step('a', script), step('b', script), step('c', script)], {
    atOnce: 1,
    cwd: import.meta.dirname,
  })
  const spans = outcomes.map(({ output }) => output.trim().split(' ').map(Number))
  for (const [index, [began]] of spans.entries()) {
    const endedBefore = spans[index - 1]?.[1] ?? 0
    assert.ok((began ?? 0) > endedBefore)
  }
})
