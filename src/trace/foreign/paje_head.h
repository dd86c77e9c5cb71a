/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * paje_head: how a trace in Paje's form begins (private to paje.c): the fields of each event, by its
 * number, then the types of containers, states, events, variables and links, by their aliases. It is the same
 * in all traces. Only the types of two-sided messages, of races, of joules and of disks are added when
 * one occurs.
 */
#ifndef PGASIM_TRACE_PAJE_HEAD_H
#define PGASIM_TRACE_PAJE_HEAD_H

static const char paje_head[] =
    "%EventDef PajeDefineContainerType 0\n%  Alias string\n%  Type string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajeDefineStateType 1\n%  Alias string\n%  Type string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajeDefineEventType 2\n%  Alias string\n%  Type string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajeDefineVariableType 3\n%  Alias string\n%  Type string\n%  Name string\n%  Color color\n"
    "%EndEventDef\n"
    "%EventDef PajeDefineLinkType 4\n%  Alias string\n%  Type string\n%  StartContainerType string\n"
    "%  EndContainerType string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajeDefineEntityValue 5\n%  Alias string\n%  Type string\n%  Name string\n%  Color color\n"
    "%EndEventDef\n"
    "%EventDef PajeCreateContainer 6\n%  Time date\n%  Alias string\n%  Type string\n%  Container string\n"
    "%  Name string\n%EndEventDef\n"
    "%EventDef PajeDestroyContainer 7\n%  Time date\n%  Type string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajePushState 8\n%  Time date\n%  Type string\n%  Container string\n%  Value "
    "string\n%EndEventDef\n"
    "%EventDef PajePopState 9\n%  Time date\n%  Type string\n%  Container string\n%EndEventDef\n"
    "%EventDef PajeSetVariable 10\n%  Time date\n%  Type string\n%  Container string\n%  Value "
    "double\n%EndEventDef\n"
    "%EventDef PajeNewEvent 11\n%  Time date\n%  Type string\n%  Container string\n%  Value "
    "string\n%EndEventDef\n"
    "%EventDef PajeStartLink 12\n%  Time date\n%  Type string\n%  Container string\n%  StartContainer "
    "string\n"
    "%  Value string\n%  Key string\n%  Size int\n%EndEventDef\n"
    "%EventDef PajeEndLink 13\n%  Time date\n%  Type string\n%  Container string\n%  EndContainer string\n"
    "%  Value string\n%  Key string\n%EndEventDef\n"
    "0 P 0 \"Platform\"\n0 H P \"Host\"\n0 R H \"Rank\"\n0 T R \"Thread\"\n0 L P \"Link\"\n"
    "1 S R \"State\"\n1 TS T \"Thread state\"\n2 M R \"Mark\"\n2 TM T \"Thread mark\"\n2 SIG R \"Signal\"\n2 "
    "KEPT R \"Kept back\"\n"
    "3 B L \"bytes on their way\" \"0.2 0.4 0.8\"\n3 N H \"threads that run\" \"0.2 0.6 0.2\"\n"
    "4 PUT P R R \"Put\"\n4 GET P R R \"Get request\"\n4 GOT P R R \"Get reply\"\n4 ATO P R R \"Atomic\"\n4 "
    "ATR P R R \"Atomic reply\"\n"
    "4 MSG P R R \"Message\"\n";
/* Only in traces with such messages. */
static const char paje_sends[] = "4 SND P R R \"Two-sided message\"\n";
static const char paje_energies[] = "3 J H \"joules so far\" \"0.8 0.3 0.1\"\n";
static const char paje_disks[] = "3 D H \"bytes that disks have moved so far\" \"0.6 0.4 0.2\"\n";

static const char paje_races[] = "2 RAC R \"Race\"\n2 TRA T \"Race of a thread\"\n4 RCE P R R \"Race\"\n";

#endif
