import { editDistance } from '../../kernel/text/edit-distance.ts'

/** How far a name is from what was given, both of as many words; undefined where one word is another altogether. */
function distanceOf(name: string, given: readonly string[]): number | undefined {
  const distances = name.split(' ').map((word, index) => {
    const distance = editDistance(given[index] ?? '', word)
    return distance <= Math.ceil(word.length / 4) ? distance : Infinity
  })
  const sum = distances.reduce((a, b) => a + b, 0)
  return Number.isFinite(sum) ? sum : undefined
}

/** The known name that was most likely meant. */
export function suggest(names: readonly string[], given: string): string | undefined {
  const words = given.split(' ')
  const near = names.flatMap((name) => {
    const distance = distanceOf(name, words)
    return distance === undefined ? [] : [{ name, distance }]
  })
  return near.toSorted((a, b) => a.distance - b.distance)[0]?.name
}
