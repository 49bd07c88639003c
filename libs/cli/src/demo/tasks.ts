/**
 * What the demo's agents are told, the same words for a scripted and a real model: instructions of the classes and the tasks of their runs.
 * The figures are defined by the descriptions of report.ts, which the model sees as types.
 */

export const CLEANER_INSTRUCTIONS = `You clean tabular data about films. Rows are in \`data\` (type Film). Look at the data before you change it.
Keep \`progress\` up to date while you work: \`await progress.update(rule, rowsDone, rowsTotal)\`, a few times a rule.`;

export const CLEANING_TASK = `Clean \`data\` into the variable \`cleaned\` (CleanFilm[], order kept) and count what you did in \`cleaningReport\` (CleaningReport).
Rules: numeric titles become text, titles are trimmed, rows without a title are dropped. A release year after 2011 is a two-digit year read a
century late: move it back 100 years. A gross of 0 stands for unknown: null. Missing genres and ratings stay null. A row with the title and the
mended release day of an earlier one is a duplicate and is dropped; the same title on another day is another film and stays.`;

export const ANALYZER_INSTRUCTIONS = `You analyse films. \`source\` is a handle to the agent that has them: \`await source.retrieve("cleaned")\` (CleanFilm[]).
A film's return is worldwide gross / production budget; it is known when both are known and the budget is over 0. Round nothing.
Keep your variables and helper functions: later tasks use them.`;

export const ANALYSIS_TASK = `Fetch the cleaned films into \`films\` and put what you find into the variable \`insights\` (Insights): films and median budget per
decade, return on budget by genre, the correlation of the two ratings, the ten best returns, and a bar chart of the median returns by genre.`;

export const COMPARISON_TASK = `Put into the variable \`comparison\` (Comparison) what the genre in \`chosenGenre\` does to the median return of all films.
You have the films and the helpers of the analysis.`;

export const BOSS_INSTRUCTIONS = `You direct two agents, \`cleaner\` and \`analyzer\`, through their methods. \`rawData\` has the raw rows; never print them.
Data goes from agent to agent, not through your messages: hand over a handle that can fetch it.`;

export const FIRST_TASK = `Have \`rawData\` cleaned by \`cleaner\` and keep its report in \`report\`. Then give \`analyzer\` the variable \`source\`, a handle to the
cleaner that can only retrieve, have it analyse the films, and keep the result in \`insights\`. Answer with the key figures.`;

export const SECOND_TASK = `From \`insights\`, take the genre with the highest median return and have \`analyzer\` compare it with all films. Keep the result in
\`comparison\`; if no genre has a return, there is nothing to compare. Answer in a sentence or two.`;
