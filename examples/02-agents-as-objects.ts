/**
 * Two agents as objects: the boss holds the shelf as a handle, calls its methods from a cell, and passes on a handle that can only retrieve.
 * Run: node --conditions=karst-source --import tsx examples/02-agents-as-objects.ts
 */
import { createSystem, defineAgent, field, handle, variable } from "@karst/agent";
import { scriptedModel } from "@karst/model";
import { z } from "zod";

const Book = z.object({ title: z.string(), pages: z.int() });

const Shelf = defineAgent({
  name: "shelf",
  version: 1,
  fields: { books: field(z.int(), { default: 0, visibleTo: ["orchestrator"] }) },
  variables: { catalogue: variable(z.array(Book), { default: [] }) },
  methods: (method) => ({
    add: method({ input: Book, output: z.int() }, async (self, book) => {
      await self.inject("catalogue", [...(await self.retrieve("catalogue")), book]);
      self.state.books += 1;
      return self.state.books;
    }),
  }),
});

const Reader = defineAgent({
  name: "reader",
  version: 1,
  variables: { shelf: handle(Shelf, { only: ["retrieve"] }) },
});

const Boss = defineAgent({
  name: "boss",
  version: 1,
  role: "orchestrator",
  variables: { shelf: handle(Shelf), reader: handle(Reader) },
});

const cell = (code: string): string => `\`\`\`js\n${code}\n\`\`\``;
const models = {
  default: scriptedModel(({ messages }) => {
    const agent = /Agent: (\w+)/.exec(messages[0]?.content ?? "")?.[1];
    const answered = messages.at(-1)?.content.startsWith("<result>") === true;
    if (agent === "reader")
      return answered
        ? "The longest book is in `longest`."
        : cell('const books = await shelf.retrieve("catalogue");\nconst longest = books.sort((a, b) => b.pages - a.pages)[0].title;');
    if (answered) return "The reader has read the shelf.";
    return cell(
      'await shelf.add({ title: "Caves", pages: 180 });\nawait shelf.add({ title: "Limestone", pages: 420 });\n' +
        'await reader.inject("shelf", shelf.only("retrieve"));\nconst answer = await reader.run("Which book is the longest?");\nconst longest = await reader.retrieve("longest");\nconsole.log(answer.content, longest);',
    );
  }),
};

await using system = await createSystem({ classes: [Shelf, Reader, Boss], models });
const boss = system.agent(Boss, "one");
const shelf = system.agent(Shelf, "one");
await boss.inject("shelf", shelf);
await boss.inject("reader", system.agent(Reader, "one"));
console.log((await boss.run("Fill the shelf and find the longest book")).content);
console.log(await boss.retrieve("longest"), await shelf.state("books"));
