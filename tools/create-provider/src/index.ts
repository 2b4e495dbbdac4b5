export { namesOf, type Names, type NamesOutcome } from './names.ts';
export { writeProject } from './project.ts';
