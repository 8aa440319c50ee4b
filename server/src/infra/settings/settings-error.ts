/** The service cannot start with what it was given. Lists every problem, one sentence each (CORE-82). */
export class SettingsError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(
      ['The settings are not usable:', ...problems.map((problem) => `  - ${problem}`)].join('\n'),
    )
    this.name = 'SettingsError'
    this.problems = problems
  }
}
